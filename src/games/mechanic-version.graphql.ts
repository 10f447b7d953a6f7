import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import type { GameMechanicVersion } from '../generated/prisma/client.ts'
import { requireCaller } from '../kit/access/context.ts'
import { builder } from '../kit/schema/builder.ts'
import { list } from '../kit/schema/list.ts'
import { forOwner, isOwn } from '../kit/schema/owner.ts'
import { batched } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { WeightedReward } from './game.rules.ts'
import { GameConfigRef, GameRef, MechanicStatusRef } from './mechanic.graphql.ts'
import { findVersionParts } from './mechanic-version.ts'

export const GameVersionRef = builder.prismaNode('GameMechanicVersion', {
  name: 'GameVersion',
  description: 'A game of chance as it was from one change to the next. Versions never change.',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, ctx) => ({ id, ...tenantOf(requireCaller(ctx, 'secret')) }),
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of the game: 1, 2, 3, …' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', { description: 'Short description.' }),
    pointsToUnlock: t.exposeInt('pointsToUnlock'),
    status: t.expose('status', {
      type: MechanicStatusRef,
      description: 'Whether it could be played.',
    }),
    imageUrl: t.exposeString('imageUrl', { nullable: true, description: 'Cover image.' }),
    config: t.field({
      type: GameConfigRef,
      description: 'Segments and reward table.',
      resolve: ({ segments, rewards }) => ({ segments, rewards: rewards as WeightedReward[] }),
    }),
    actor: t.field({
      ...actorField,
      description:
        'Who made the change, as of other things made by hand. Null unless the caller is the owner, and if nobody was recorded.',
      resolve: (version, args, ctx) =>
        isOwn(ctx, version) ? actorField.resolve(version, args, ctx) : null,
    }),
    actorId: t.id(
      forOwner(
        'The global id of the member or API key that made the change; null if nobody was recorded.',
        (version: GameMechanicVersion) =>
          version.memberId || version.apiKeyId ? actorIdField.resolve(version) : null,
      ),
    ),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the change was made.',
    }),
  }),
})

list([GameRef, 'versions'], {
  description:
    'The versions of the game since they are kept, newest first. Null unless the caller is the owner.',
  of: GameVersionRef,
  orders: { VERSION: { by: ['version'], description: 'By number.' } },
  order: ['VERSION', 'DESC'],
  isFor: isOwn,
  from: ({ parent: { id: mechanicId }, order, ctx }) =>
    batched(
      rows(ctx.db.gameMechanicVersion, { where: { mechanicId }, order }),
      { parentId: mechanicId, order },
      (part) => ctx.read(findVersionParts, part),
    ),
})
