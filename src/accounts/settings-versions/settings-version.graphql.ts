import type { Context } from '../../kit/access/context.ts'
import { builder } from '../../kit/schema/builder.ts'
import type { NodeRef } from '../../kit/schema/connection.ts'
import { load } from '../../kit/schema/edge.ts'
import { list } from '../../kit/schema/list.ts'
import { batched } from '../../kit/schema/parts.ts'
import { mapped, rows } from '../../kit/schema/rows.ts'
import { actorField, actorIdField } from '../viewer.graphql.ts'
import { ChangeRef } from './change.graphql.ts'
import { type Difference, differencesOf, restorableOf } from './settings-version.rules.ts'
import { findSettingsVersions, findVersionParts, type SettingsVersion } from './settings-version.ts'

/** Differences as the changes of an object. */
const changesOf = ({ kind, objectId }: SettingsVersion, differences: Difference[]) =>
  differences.map((difference) => ({ table: kind, id: objectId, ...difference }))

export const SettingsVersionRef = builder.objectRef<SettingsVersion>('SettingsVersion').implement({
  description:
    'The settings of something as they were from one change to the next. Versions never change.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of the object: 1, 2, 3, …' }),
    currentVersion: t.exposeInt('currentVersion', {
      description: 'The newest version of the object. A restoration takes it as `expectedVersion`.',
    }),
    changes: t.field({
      type: [ChangeRef],
      description:
        'What the change that made it changed, from and to. Empty for the first version that is kept.',
      resolve: (version) =>
        changesOf(version, version.before ? differencesOf(version.before, version.settings) : []),
    }),
    restores: t.field({
      type: [ChangeRef],
      description:
        'What restoring it would change, from the settings of now to its own. A state, such as a pause, is not restored.',
      resolve: (version) => changesOf(version, restorableOf(version.current, version.settings)),
    }),
    actor: t.field({
      ...actorField,
      description:
        'Who made the change, as of other things made by hand; null if nobody was recorded.',
    }),
    actorId: t.id({
      nullable: true,
      description:
        'The global id of the member or API key that made the change; null if nobody was recorded.',
      resolve: (version) =>
        version.memberId || version.apiKeyId ? actorIdField.resolve(version) : null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the change was made.',
    }),
  }),
})

/**
 * The list `versions` of a type whose settings are kept.
 * @param isFor whether the list is for this caller, if not for everyone who may read the type
 */
export const listVersions = <P extends { id: string }>(
  type: NodeRef<P>,
  name: string,
  isFor?: (ctx: Context, parent: NoInfer<P>) => boolean,
): void =>
  list([type, 'versions'], {
    description: `The versions of the settings of the ${name}, newest first.`,
    key: 'secret',
    of: SettingsVersionRef,
    orders: { VERSION: { by: ['version'], description: 'By the number of the version.' } },
    order: ['VERSION', 'DESC'],
    ...(isFor && { isFor }),
    from: ({ parent: { id: objectId }, order, ctx }) =>
      mapped<{ version: number }, SettingsVersion>(
        batched(
          rows(ctx.db.settingsVersion, { where: { objectId }, order }),
          { parentId: objectId, order },
          (part) => load(ctx, findVersionParts, part),
        ),
        (items) =>
          Promise.all(
            items.map(({ version }) => load(ctx, findSettingsVersions, { objectId, version })),
          ) as Promise<SettingsVersion[]>,
      ),
  })
