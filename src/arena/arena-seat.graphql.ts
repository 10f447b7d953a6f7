/** Partners make sessions and fill them with their users. */

import type { Context } from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import type { ArenaPlayer } from '../generated/prisma/client.ts'
import { CreateArenaSession, createArenaSessions } from './arena-opening.ts'
import {
  JoinArenaSession,
  joinArenaSessions,
  LeaveArenaSession,
  leaveArenaSessions,
  StartArenaSession,
  startArenaSessions,
} from './arena-seat.ts'
import { ArenaPlayerRef, ArenaSessionRef, type Listed } from './arena-session.graphql.ts'
import { ArenaSessionStatusRef } from './arena-words.graphql.ts'
import { liveTenant } from './live-only.ts'
import { sessionTokenOf } from './session-token.ts'

type Seated = { session: Listed; player: ArenaPlayer | null; slug: string | null }

const seatToken = ({ config }: Context, { session, player }: Seated) =>
  player && sessionTokenOf(config, session.id, player.id)

const Seated = builder.interfaceRef<Seated>('Seated').implement({
  description: 'A session, and the seat of a user or agent in it.',
  fields: (t) => ({
    session: t.field({
      type: ArenaSessionRef,
      description: 'The session.',
      resolve: ({ session }) => session,
    }),
    sessionId: t.string({
      description: 'UUID of the session.',
      resolve: ({ session }) => session.id,
    }),
    gameId: t.string({
      description: 'UUID of the game.',
      resolve: ({ session }) => session.gameId,
    }),
    status: t.field({
      type: ArenaSessionStatusRef,
      description: 'Where the session stands.',
      resolve: ({ session }) => session.status,
    }),
    entryFee: t.int({
      description: 'Points that each player puts in.',
      resolve: ({ session }) => session.entryFee,
    }),
    prizePool: t.int({
      description: 'What the players have put in.',
      resolve: ({ session }) => session.prizePool,
    }),
    currentPlayers: t.int({
      description: 'Seats that are taken.',
      resolve: ({ session }) => session.currentPlayers,
    }),
    maxPlayers: t.int({
      description: 'Seats that there are.',
      resolve: ({ session }) => session.maxPlayers,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When the session ends by itself and everybody gets their points back.',
      resolve: ({ session }) => session.expiresAt,
    }),
    players: t.field({
      type: [ArenaPlayerRef],
      description: 'The players, by slot.',
      resolve: ({ session }) => session.players,
    }),
    playerId: t.string({
      nullable: true,
      description:
        'UUID of the player that the user or agent is in this session, if one was named.',
      resolve: ({ player }) => player?.id ?? null,
    }),
    slot: t.int({
      nullable: true,
      description: 'The seat of the user or agent, from 1, if one was named.',
      resolve: ({ player }) => player?.slot ?? null,
    }),
    sessionToken: t.string({
      nullable: true,
      description: 'What the game shows when it reports a result for this player. Keep it secret.',
      resolve: (seated, _, ctx) => seatToken(ctx, seated),
    }),
    playUrl: t.string({
      nullable: true,
      description: 'A page where this player plays; it carries the session token.',
      resolve: (seated, _, ctx) => {
        const { session, player, slug } = seated
        if (!player || !slug) return null
        const token = seatToken(ctx, seated)
        return `${ctx.config.publicUrl}/arena/games/${slug}#session=${session.id}&player=${player.id}&token=${token}`
      },
    }),
  }),
})

const payload = (name: string, description: string) =>
  builder.objectRef<Seated>(name).implement({ description, interfaces: [Seated] })

const CreateArenaSessionPayload = payload('CreateArenaSessionPayload', 'A session was made.')
const JoinArenaSessionPayload = payload('JoinArenaSessionPayload', 'A user or agent has a seat.')

/** With the slug of the game while it is public, for the address of its page. */
const withSlug = async <T extends { session: Listed; player: ArenaPlayer | null }>(
  { db }: Context,
  seated: T,
): Promise<Seated> => {
  const game = await db.arenaGame.findUnique({
    where: { id: seated.session.gameId, servingBuildUrl: { not: null } },
    select: { slug: true },
  })
  return { ...seated, slug: game?.slug ?? null }
}

mutation('createArenaSession', {
  description: 'Makes a session of a public game; a user or agent who is named joins at once.',
  key: 'secret',
  input: CreateArenaSession,
  payload: CreateArenaSessionPayload,
  errors: [
    'LIVE_ONLY',
    'ARENA_GAME_NOT_FOUND',
    'USER_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'AGENT_STATUS_CONFLICT',
    'INSUFFICIENT_POINTS',
  ],
  resolve: async (input, ctx, caller) =>
    withSlug(ctx, await ctx.write(createArenaSessions, { ...input, ...liveTenant(caller) })),
})

mutation('joinArenaSession', {
  description:
    'Seats a user in a session; the entry fee moves from their wallet into the prize pool. Or seats an agent, where there is no fee. Who sits there already gets their seat again and pays nothing.',
  key: 'secret',
  input: JoinArenaSession,
  payload: JoinArenaSessionPayload,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'USER_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'AGENT_STATUS_CONFLICT',
    'SESSION_NOT_OPEN',
    'SESSION_FULL',
    'INSUFFICIENT_POINTS',
    'SESSION_OF_ONE_PARTNER',
    'POINT_CAP_REACHED',
  ],
  resolve: async (input, ctx, caller) =>
    withSlug(ctx, await ctx.write(joinArenaSessions, { ...input, ...liveTenant(caller) })),
})

mutation('leaveArenaSession', {
  description: 'Takes a user or agent out of a session that has not begun; entry fees go back.',
  key: 'secret',
  input: LeaveArenaSession,
  payload: ArenaSessionRef as never,
  errors: ['LIVE_ONLY', 'SESSION_NOT_FOUND', 'PLAYER_NOT_FOUND', 'SESSION_NOT_OPEN'],
  resolve: async (input, ctx, caller) =>
    (await ctx.write(leaveArenaSessions, { ...input, ...liveTenant(caller) })).session,
})

mutation('startArenaSession', {
  description: 'Lets a session begin that has players enough, before it is full.',
  key: 'secret',
  input: StartArenaSession,
  payload: ArenaSessionRef as never,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'NOT_IN_SESSION',
    'SESSION_NOT_OPEN',
    'SESSION_NEEDS_PLAYERS',
  ],
  resolve: ({ sessionId }, ctx, caller) => {
    const { partnerId } = liveTenant(caller)
    return ctx.write(startArenaSessions, { sessionId, partnerId })
  },
})
