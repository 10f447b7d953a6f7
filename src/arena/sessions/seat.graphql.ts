/** Partners create sessions and seat their users. */
import type { Context } from '../../kit/access/context.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import type { PayloadOf } from '../../kit/schema/payload.ts'
import { UserRef } from '../../users/end-user.graphql.ts'
import { arenaGameIdOf } from '../developer-games/game-key.ts'
import { liveTenant } from '../live-only.ts'
import { withCandidate } from './candidate.ts'
import { CreateArenaSession, createArenaSessions, type OpenedSession } from './opening.ts'
import {
  JoinArenaSession,
  joinArenaSessions,
  LeaveArenaSession,
  leaveArenaSessions,
  StartArenaSession,
  startArenaSessions,
} from './seat.ts'
import { ArenaPlayerRef, ArenaSessionRef } from './session.graphql.ts'
import { type ListedSession, sessionTokenOf } from './session.ts'

const tokenText = 'The token with which the game reports a result for this player. Keep it secret.'
const playUrlText = 'The page where this player plays; its URL contains the session token.'

const joinedFields = {
  arenaSession: ArenaSessionRef,
  player: { type: ArenaPlayerRef, description: 'The seat of the user or agent.' },
  user: {
    type: UserRef,
    nullable: true,
    description: 'The user, with the balance after the entry fee. Null for an agent.',
  },
  sessionToken: { type: 'String', description: tokenText },
  playUrl: {
    type: 'URL',
    nullable: true,
    description: `${playUrlText} Null if the game is not public.`,
  },
} as const

const createdFields = {
  arenaSession: ArenaSessionRef,
  player: {
    type: ArenaPlayerRef,
    nullable: true,
    description: 'The seat of the player who joined at once; null without one.',
  },
  user: {
    type: UserRef,
    nullable: true,
    description:
      'The user who joined at once, with the balance after the entry fee. Null without one, and for an agent.',
  },
  sessionToken: { type: 'String', nullable: true, description: `${tokenText} Null without one.` },
  playUrl: {
    type: 'String',
    nullable: true,
    description: `${playUrlText} Null without one, and if the game is not public.`,
  },
} as const

/** A session and a seat in it, with the player's token. */
const seated = async (
  { db, config, keys }: Context,
  { session, player, user }: { session: ListedSession } & Omit<OpenedSession, 'session'>,
): Promise<PayloadOf<typeof createdFields>> => {
  const game = await db.arenaGame.findUnique({
    where: { id: session.gameId, servingBuildUrl: { not: null } },
    select: { slug: true },
  })
  const sessionToken = player && sessionTokenOf(keys, session.id, player.id)
  const fragment = player && `session=${session.id}&player=${player.id}&token=${sessionToken}`
  return {
    arenaSession: session,
    player,
    user,
    sessionToken,
    playUrl: game && fragment && `${config.publicUrl}/arena/games/${game.slug}#${fragment}`,
  }
}

mutation('createArenaSession', {
  description: 'Creates a session of a public game. The given player joins at once.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: CreateArenaSession,
  payload: createdFields,
  errors: [
    'LIVE_ONLY',
    'ARENA_GAME_NOT_FOUND',
    'USER_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'AGENT_STATUS_CONFLICT',
    'USER_BLOCKED',
    'INSUFFICIENT_POINTS',
  ],
  resolve: async ({ arenaGame, ...input }, ctx, caller) => {
    const candidate = await withCandidate(ctx, caller, input)
    const gameId = await arenaGameIdOf(ctx, arenaGame)
    return seated(ctx, await ctx.write(createArenaSessions, { ...candidate, gameId }))
  },
})

mutation('joinArenaSession', {
  description:
    'Adds a user to a session and moves the entry fee from their wallet into the prize pool. A session without a fee also accepts agents. Joining again returns the same seat and costs nothing.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: JoinArenaSession,
  payload: joinedFields,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'USER_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'AGENT_STATUS_CONFLICT',
    'SESSION_NOT_OPEN',
    'SESSION_FULL',
    'USER_BLOCKED',
    'INSUFFICIENT_POINTS',
    'SESSION_OF_ONE_PARTNER',
    'POINT_CAP_REACHED',
  ],
  resolve: async ({ arenaSessionId: sessionId, player }, ctx, caller) => {
    const join = await withCandidate(ctx, caller, { sessionId, player })
    const seat = await ctx.write(joinArenaSessions, join)
    const sessionToken = sessionTokenOf(ctx.keys, seat.session.id, seat.player.id)
    return { ...(await seated(ctx, seat)), player: seat.player, sessionToken }
  },
})

mutation('leaveArenaSession', {
  description:
    'Removes a user or agent from a session that has not started, and refunds the entry fee.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: LeaveArenaSession,
  payload: {
    arenaSession: ArenaSessionRef,
    user: {
      type: UserRef,
      nullable: true,
      description: 'The user, with the balance after the refund. Null for an agent.',
    },
  },
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'USER_NOT_FOUND',
    'PLAYER_NOT_FOUND',
    'SESSION_NOT_OPEN',
  ],
  resolve: async ({ arenaSessionId: sessionId, player }, ctx, caller) => {
    const leave = await withCandidate(ctx, caller, { sessionId, player })
    const { session, user } = await ctx.write(leaveArenaSessions, leave)
    return { arenaSession: session, user }
  },
})

mutation('startArenaSession', {
  description: 'Starts a session that has enough players before it is full.',
  key: 'secret',
  right: 'PLAY',
  isAudited: false,
  input: StartArenaSession,
  payload: { arenaSession: ArenaSessionRef },
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'NOT_IN_SESSION',
    'SESSION_NOT_OPEN',
    'SESSION_NEEDS_PLAYERS',
  ],
  resolve: async ({ arenaSessionId: sessionId }, ctx, caller) => {
    const { partnerId } = liveTenant(caller)
    return { arenaSession: await ctx.write(startArenaSessions, { sessionId, partnerId }) }
  },
})
