/** Players send moves, and all who watch a session get them. */
import type { ArenaSessionMove } from '../../generated/prisma/client.ts'
import { decodeNodeId, encodeNodeId } from '../../kit/node-id.ts'
import { builder } from '../../kit/schema/builder.ts'
import { load } from '../../kit/schema/edge.ts'
import { mutation } from '../../kit/schema/mutation.ts'
import { isUuid } from '../../kit/validation.ts'
import { backendOf } from '../live-only.ts'
import { SendArenaSessionMoves, sendArenaSessionMoves, watchMoves } from './move.ts'
import { ArenaPlayerRef } from './session.graphql.ts'
import { findPlayers } from './session.ts'

const ArenaSessionMoveRef = builder.objectRef<ArenaSessionMove>('ArenaSessionMove').implement({
  description: 'A move of a player in a session.',
  fields: (t) => ({
    seq: t.exposeInt('seq', {
      description: 'Numbered from 1 within the session, without gaps, in the same order for all.',
    }),
    player: t.field({
      type: ArenaPlayerRef,
      description: 'The player who made the move.',
      resolve: ({ playerId }, _, ctx) => load(ctx, findPlayers, playerId),
    }),
    playerId: t.id({
      description: 'Global id of the player who moved. It costs no read.',
      resolve: ({ playerId }) => encodeNodeId('ArenaPlayer', playerId),
    }),
    playerUuid: t.expose('playerId', {
      type: 'UUID',
      description: 'UUID of the player who moved. It costs no read.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: "The sender's own name for the move; null if it has none.",
    }),
    data: t.expose('data', { type: 'JSON', description: 'What the game sent.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When the server took it.' }),
  }),
})

mutation('sendArenaSessionMoves', {
  description:
    'Relays moves of a player to all who watch the session. Requires no API key, but the session token of the player (`X-Session-Token` or `token`). A player may make 20 moves a second, and a session may have 100,000 moves and 16 MB. A result is reported separately.',
  key: 'anyone',
  isAudited: false,
  input: SendArenaSessionMoves,
  payload: {
    moves: { type: [ArenaSessionMoveRef], description: 'The moves, with their numbers.' },
  },
  errors: [
    'SESSION_NOT_FOUND',
    'INVALID_SESSION_TOKEN',
    'SESSION_NOT_IN_PROGRESS',
    'RATE_LIMITED',
    'MOVE_LIMIT_REACHED',
  ],
  price: { points: 25, per: 'move', count: ({ moves }) => moves.length, least: 100 },
  resolve: ({ arenaSessionId: sessionId, ...input }, ctx) =>
    ctx.write(sendArenaSessionMoves, {
      ...input,
      sessionId,
      token: ctx.header?.('x-session-token') ?? input.token,
    }),
})

/** A session by its global id or its UUID; null for any other text. */
const sessionIdOf = (text: string): string | null => {
  const named = decodeNodeId(text)
  const id = named?.typename === 'ArenaSession' ? named.id : text
  return isUuid(id) ? id.toLowerCase() : null
}

builder.subscriptionField('arenaSessionMoves', (t) =>
  t.field({
    extensions: { shared: true },
    type: ArenaSessionMoveRef,
    description:
      'The moves of a session in their order: those after `afterSeq`, then each as it is taken. The stream completes when the session ends. A client that lost its connection subscribes again with the number of the last move that it has, and misses nothing; until ten minutes after the end. Everybody may watch a public session; any other its players by their session tokens, the partner who created it, and the developer of the game. Errors: SESSION_NOT_FOUND; INVALID_SESSION_TOKEN; INVALID_PARAMETERS if `afterSeq` is above the number of the newest move.',
    args: {
      arenaSessionId: t.arg.id({
        required: true,
        description: 'The session, by its global id or its UUID.',
      }),
      afterSeq: t.arg.int({
        description: 'The last move that the client has; 0, the default, for all moves.',
      }),
      token: t.arg.string({ description: 'The session token of a player.' }),
    },
    subscribe: (_, { arenaSessionId, afterSeq, token }, ctx) =>
      watchMoves(ctx, {
        sessionId: sessionIdOf(arenaSessionId),
        afterSeq: afterSeq ?? 0,
        token: token ?? ctx.header?.('x-session-token'),
        partnerId: backendOf(ctx)?.partnerId,
      }),
    resolve: (move) => move,
  }),
)
