import { z } from 'zod'
import { findInexact, jsonObject, storable, text } from '../../kit/validation.ts'
import { map, named } from '../codecs.ts'
import type { RestDirectives } from '../directives.ts'
import { asPercent, fragment, given, route } from '../route.ts'

const figures = 'totalSessions: sessionCount totalPlayers: playerCount totalEarnings: earnedPoints'

const listed = `id: uuid name slug category thumbnailUrl engine playerMode minPlayers maxPlayers
  entryFee supportsAgents ${figures}`

export const developerRevenueShare = asPercent(
  z.int().describe('Share of a prize pool that goes to the developer, in percent.'),
)

const detailed = fragment(
  'ArenaGameDetails on PublicArenaGame',
  `${listed} description rules coverImageUrl buildUrl version: buildVersion estimatedDuration: estimatedDurationSeconds
  developerRevenueShare: developerRevenueRate`,
  { buildUrl: given, developerRevenueShare },
)

const session = `id: uuid gameId: gameUuid status entryFee prizePool currentPlayers: playerCount maxPlayers expiresAt
  players { id: uuid slot type score isWinner }`

const detailedSession = fragment(
  'ArenaSessionDetails on ArenaSession',
  `${session} minPlayers resultPolicy winner @flatten { winnerId: uuid } developerShare winnerPrize
  createdAt startedAt completedAt`,
)

const seated = `arenaSession @flatten { ${session} } player @flatten { playerId: uuid slot } sessionToken playUrl`

/** The user or agent to seat in a session. */
const player = 'player: { user: { externalId: $userId }, arenaAgentId: $agentId }'

const result = `arenaSession @flatten { sessionId: uuid } winnerId: winner { uuid }
  settled: arenaSession @flatten {
    prizePool developerShare @unset(as: 0) winnerPrize @unset(as: 0)
  }`

const sessionForm = { arenaSessionId: named('sessionId') }

/** The winner as the caller named them: a player, or their partner. */
const winnerId: RestDirectives = {
  schema: z.string().describe('The reported winner.'),
  of: (_, { values }) => (values.input as { winnerId: string }).winnerId,
}

const firstResult = fragment(
  'ReportArenaResultPayload on ReportArenaResultPayload',
  `${result} awaitingReports: awaitedReportCount`,
  { winnerId },
)
const serverResult = fragment(
  'ReportArenaServerResultPayload on ReportArenaServerResultPayload',
  result,
  { winnerId },
)

const maxScore = 2_147_483_647

/** Scores by the ids of players. */
const scores = map(
  'scores',
  jsonObject()
    .refine(
      (scores) =>
        Object.values(scores).every(
          (score) => Number.isInteger(score) && Math.abs(score as number) <= maxScore,
        ),
      'must map players to integers',
    )
    .nullish()
    .describe('Score by id of the player.'),
  ['arenaPlayerId', 'score'],
)

const parsed = (json: unknown): unknown => {
  try {
    return JSON.parse(String(json))
  } catch {
    return undefined
  }
}

/** The token in the text of the results, without which they are stored. */
const takeToken = (json: unknown): { token: unknown; results: unknown } => {
  const all = parsed(json)
  if (typeof all !== 'object' || all === null || !('token' in all))
    return { token: null, results: all }
  const { token, ...results } = all
  return { token, results }
}

const maxResultsBytes = 64 * 1024

const resultForms = {
  winnerId: {
    ...named('winnerId'),
    schema: (field: z.ZodType) =>
      field.describe(
        'The player who won, or the UUID of a partner that has exactly one player in the session.',
      ),
  },
  scores,
  results: {
    name: 'resultsJson',
    schema: () =>
      storable(z.string('must be a string'))
        .refine(
          (json) => Buffer.byteLength(json) <= maxResultsBytes,
          `must be at most ${maxResultsBytes / 1024} KB`,
        )
        .refine((json) => parsed(json) !== undefined, 'must be valid JSON')
        .superRefine((json, ctx) => {
          const path = findInexact(parsed(json))
          if (path)
            ctx.addIssue(
              `must not contain ${path.slice(0, 16).join('.')}: a number that would lose digits`,
            )
        })
        .nullish()
        .describe('Additional results as JSON text. Its field `token` is the session token.'),
    read: (json: unknown) => (json === null ? null : takeToken(json).results),
  },
}

const sessionToken = text(255)

/** A token in the text of the results. One that cannot be a token counts as none. */
const tokenIn = ({ resultsJson }: Record<string, unknown>): unknown => {
  const { token } = takeToken(resultsJson)
  return sessionToken.safeParse(token).success ? token : undefined
}

const token = {
  name: 'token',
  schema: (field: z.ZodType) =>
    field.describe('The session token, unless it is in X-Session-Token or in `resultsJson`.'),
  read: (token: unknown, body: Record<string, unknown>) => token ?? tokenIn(body) ?? null,
  absent: tokenIn,
}

export const arenaGames = [
  route('GET /v1/arena/games', {
    key: 'anyone',
    summary: 'List the public games of the arena',
    operation: `query ($category: [ArenaCategory!] @single, $search: String, $page: String, $limit: Int) {
      arena {
        result: games(filter: { categories: $category, search: $search }, first: $limit, after: $page) {
          data: nodes { ${listed} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Games retrieved successfully',
    list: true,
  }),
  route('GET /v1/arena/games/featured', {
    key: 'anyone',
    summary: 'List the featured games of the arena',
    operation: `{ arena { result: featuredGames { ${listed} } } }`,
    message: 'Featured games retrieved successfully',
  }),
  route('GET /v1/arena/games/{slug}', {
    key: 'anyone',
    summary: 'Show a game of the arena by its slug',
    operation: `query ($slug: String!) { arena { result: game(by: { slug: $slug }) { ${detailed} } } }`,
    message: 'Game retrieved successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('GET /v1/arena/games/id/{gameId}', {
    key: 'anyone',
    summary: 'Show a game of the arena by its UUID',
    operation: `query ($gameId: ID!) { arena { result: game(by: { id: $gameId }) { ${detailed} } } }`,
    message: 'Game retrieved successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('GET /v1/arena/games/{gameId}/sessions', {
    key: 'anyone',
    summary: 'List the sessions of a game, newest first',
    operation: `query ($gameId: ID!, $status: [ArenaSessionStatus!] @single, $page: String, $limit: Int) {
      arena {
        game(by: { id: $gameId }) {
          result: sessions(filter: { statuses: $status }, first: $limit, after: $page) {
            data: nodes { ${session} }
            totalCount { value }
          }
        }
      }
    }`,
    notFound: 'ARENA_GAME_NOT_FOUND',
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Sessions retrieved successfully',
    list: true,
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('GET /v1/arena/games/{gameId}/sessions/open', {
    key: 'anyone',
    summary: 'List the sessions of a game that have free seats',
    operation: `query ($gameId: ID!) {
      arena { game(by: { id: $gameId }) { result: openSessions { ${session} } } }
    }`,
    notFound: 'ARENA_GAME_NOT_FOUND',
    message: 'Open sessions retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('GET /v1/arena/games/sessions/{sessionId}', {
    key: 'anyone',
    summary: 'Show a session with its players and scores',
    operation: `query ($sessionId: ID!) {
      arena { result: session(id: $sessionId) { ${detailedSession} } }
    }`,
    notFound: 'SESSION_NOT_FOUND',
    message: 'Session retrieved successfully',
    errors: ['SESSION_NOT_FOUND'],
  }),
  route('POST /v1/arena/games/sessions/{sessionId}/result', {
    key: 'anyone',
    summary: 'Report the result of a session; pays the prize',
    operation: `mutation ($input: ReportArenaResultInput!) {
      result: reportArenaResult(input: $input) {
        ... on ReportArenaResultPayload { ${firstResult} }
        ...Problem
      }
    }`,
    message: 'Result reported successfully',
    forms: { ...sessionForm, ...resultForms, token },
    notFound: 'SESSION_NOT_FOUND',
    optional: ['awaitingReports'],
  }),
  route('POST /v1/arena/games/sessions/{sessionId}/server-result', {
    key: 'secret',
    summary: "Report the result of a session from the developer's server; pays the prize",
    operation: `mutation ($input: ReportArenaServerResultInput!) {
      result: reportArenaServerResult(input: $input) {
        ... on ReportArenaServerResultPayload { ${serverResult} }
        ...Problem
      }
    }`,
    message: 'Result reported successfully',
    forms: { ...sessionForm, ...resultForms },
    notFound: 'SESSION_NOT_FOUND',
  }),
  route('POST /v1/arena/games/{gameId}/sessions', {
    key: 'secret',
    summary: 'Create a session of a game, which the user or agent joins at once',
    operation: `mutation ($gameId: ID!, $userId: String!, $agentId: ID, $isPublic: Boolean) {
      result: createArenaSession(input: { arenaGame: { id: $gameId }, ${player}, hasPublicMoves: $isPublic }) {
        ... on CreateArenaSessionPayload { ${seated} }
        ...Problem
      }
    }`,
    message: 'Session created successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
    optional: ['playerId', 'slot', 'sessionToken', 'playUrl'],
  }),
  route('POST /v1/arena/games/sessions/{sessionId}/join', {
    key: 'secret',
    summary:
      'Join a session as a user, which takes the entry fee, or as an agent if there is no fee',
    operation: `mutation ($sessionId: ID!, $userId: String!, $agentId: ID) {
      result: joinArenaSession(input: { arenaSessionId: $sessionId, ${player} }) {
        ... on JoinArenaSessionPayload { ${seated} }
        ...Problem
      }
    }`,
    message: 'Session joined successfully',
    notFound: 'SESSION_NOT_FOUND',
    optional: ['playUrl'],
  }),
  route('POST /v1/arena/games/sessions/{sessionId}/leave', {
    key: 'secret',
    summary: 'Leave a session that has not started; refunds the entry fee',
    never: ['USER_NOT_FOUND'],
    operation: `mutation ($sessionId: ID!, $userId: String!, $agentId: ID) {
      result: leaveArenaSession(input: { arenaSessionId: $sessionId, ${player} }) { ... on LeaveArenaSessionPayload { arenaSession @flatten { ${session} } } ...Problem }
    }`,
    message: 'Session left successfully',
    notFound: 'SESSION_NOT_FOUND',
  }),
  route('POST /v1/arena/games/sessions/{sessionId}/start', {
    key: 'secret',
    summary: 'Start a session before it is full',
    operation: `mutation ($input: StartArenaSessionInput!) {
      result: startArenaSession(input: $input) { ... on StartArenaSessionPayload { arenaSession @flatten { ${session} } } ...Problem }
    }`,
    forms: sessionForm,
    message: 'Session started successfully',
    notFound: 'SESSION_NOT_FOUND',
  }),
]
