import type { EndUser } from '../generated/prisma/client.ts'
import type { GameType } from '../generated/prisma/enums.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import type { UserId } from '../kit/user-id.ts'
import { GrantRef } from '../programme/grant.graphql.ts'
import { findGrants } from '../programme/grant.ts'
import { RewardFreePlaysRef } from '../programme/reward.graphql.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { findFreePlays } from './free-plays.sql.ts'
import { GameTypeRef } from './mechanic.graphql.ts'
import { PlayRef } from './play.graphql.ts'

/** The free plays of a user for a game. */
type FreePlays = { gameType: GameType; count: number; nextEndsAt: Date | null }

const FreePlaysRef = builder.objectRef<FreePlays>('FreePlays').implement({
  description: 'Plays of a game that cost the user nothing.',
  fields: (t) => ({
    gameType: t.expose('gameType', {
      type: GameTypeRef,
      description: 'The game that the plays are for.',
    }),
    count: t.exposeInt('count', { description: 'How many are left.' }),
    nextEndsAt: t.expose('nextEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the next one can be used, which is used first; null for no end.',
    }),
  }),
})

/** The free plays of users, by game, in one statement. */
const findFreePlaysOf = async ({ tx, clock }: Work, userIds: UserId[]): Promise<FreePlays[][]> => {
  const found = await findFreePlays(tx, userIds, clock())
  return userIds.map((id) => {
    const byGame = Map.groupBy(
      found.filter(({ userId }) => userId === id),
      ({ gameType }) => gameType,
    )
    return [...byGame].map(([gameType, grants]) => ({
      // Grants of free plays have a game.
      gameType: gameType as GameType,
      count: grants.reduce((sum, { left }) => sum + left, 0),
      nextEndsAt: grants[0]?.endsAt ?? null,
    }))
  })
}

builder.prismaObjectField(UserRef, 'freePlays', (t) =>
  t.field({
    type: [FreePlaysRef],
    description:
      'Plays that cost the user nothing, by game. A play uses the one that ends first, before it costs points.',
    resolve: ({ id, freePlaysUntil }: EndUser, _, ctx) =>
      freePlaysUntil !== null && freePlaysUntil > ctx.clock()
        ? load(ctx, findFreePlaysOf, id as UserId)
        : [],
  }),
)

builder.objectField(RewardFreePlaysRef, 'gameType', (t) =>
  t.expose('gameType', { type: GameTypeRef, description: 'The game that a grant gives plays of.' }),
)

builder.prismaObjectField(GrantRef, 'gameType', (t) =>
  t.expose('gameType', {
    type: GameTypeRef,
    nullable: true,
    description: 'The game of its free plays; null unless it gives some.',
  }),
)

builder.prismaObjectField(PlayRef, 'grant', (t) =>
  t.field({
    type: GrantRef,
    nullable: true,
    description: 'The grant whose free play it was; null if it cost what the game costs.',
    resolve: async ({ grantId }, _, ctx) =>
      grantId === null ? null : ((await load(ctx, findGrants, grantId)) as never),
  }),
)
