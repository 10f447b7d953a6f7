import { z } from 'zod'
import { integer, maxPoints, oneOf } from '../../kit/validation.ts'
import { type Form, keyOf, named, percent } from '../codecs.ts'
import type { RestDirectives } from '../directives.ts'
import { fragment, given, mutationOf, route } from '../route.ts'
import { detailedMatch, match, slotNumber } from '../v1/arena.ts'
import { developerRevenueShare } from '../v1/arena-games.ts'

/** A game as its developer and operators see it. */
export const developerGame = fragment(
  'DeveloperArenaGame on ArenaGame',
  `id: uuid name slug status category description rules thumbnailUrl
  coverImageUrl engine playerMode minPlayers maxPlayers estimatedDuration: estimatedDurationSeconds supportsAgents entryFee
  developerRevenueShare: developerRevenueRate resultPolicy: chosenResultPolicy
  build: newestBuild @flatten { buildNo: number buildUrl version }
  servingBuildUrl: buildUrl servingVersion: buildVersion
  review: newestBuild @flatten { reviewNotes reviewedAt }
  isFeatured totalSessions: sessionCount totalPlayers: playerCount totalEarnings: earnedPoints
  createdAt updatedAt`,
  { developerRevenueShare },
)

/** The same, with its review history. */
export const developerGameWithBuilds = fragment(
  'DeveloperArenaGameWithBuilds on ArenaGame',
  `${developerGame}
  builds { buildNo: number buildUrl version submittedAt verdict reviewNotes reviewedAt }`,
)

/** A mutation that answers a game. */
export const changedGame = (name: string, selection = developerGame) =>
  mutationOf(name, `arenaGame @flatten { ${selection} }`)

/** A game is named by its UUID, as `gameId`. */
export const gameForm = { arenaGame: keyOf('gameId') }

const share = 'Percentage of a prize pool that goes to the developer.'
const shareOf = (description: string) => ({
  developerRevenueRate: percent('developerRevenueShare', description),
})

const durationForm = { estimatedDurationSeconds: named('estimatedDuration') }

export const dashboardArenaGames = [
  route('POST /dashboard/arena-games', {
    key: 'member',
    summary: 'Submit a game for review',
    operation: changedGame('submitArenaGame'),
    message: 'Game submitted successfully',
    forms: { ...shareOf(`${share} Defaults to 30.`), ...durationForm },
  }),
  route('GET /dashboard/arena-games', {
    key: 'member',
    summary: "List the partner's games, newest first",
    operation: `query ($status: [ArenaGameStatus!] @single, $page: String, $limit: Int) {
      result: arenaGames(filter: { statuses: $status }, first: $limit, after: $page) {
        data: nodes { ${developerGame} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['total', 'page', 'limit', 'totalPages'] },
    message: 'Games retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Show a game with its review history',
    operation: `query ($gameId: ID!) {
      result: arenaGame(by: { id: $gameId }) { ${developerGameWithBuilds} }
    }`,
    notFound: 'ARENA_GAME_NOT_FOUND',
    message: 'Game retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('PATCH /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Change the fields of a game that need no review',
    operation: changedGame('updateArenaGame'),
    message: 'Game updated successfully',
    forms: { ...gameForm, ...shareOf(share), ...durationForm },
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('PATCH /dashboard/arena-games/{gameId}/build', {
    key: 'member',
    summary: 'Submit a new build for review',
    operation: changedGame('submitArenaBuild'),
    forms: gameForm,
    message: 'Build submitted successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('DELETE /dashboard/arena-games/{gameId}', {
    key: 'member',
    summary: 'Archive a game',
    operation: changedGame('archiveArenaGame'),
    forms: gameForm,
    message: 'Game archived successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
]

const agent = fragment(
  'DeveloperArenaAgent on ArenaAgent',
  `id: uuid name displayName description avatarUrl thinkingStyle provider modelId endpointUrl
  secretLastFour status isPublic validatedAt validationError tier eloRating ratingDeviation
  totalMatches: matchCount wins losses draws winRate @unset(as: 0) totalSupportReceived: supportPoints
  totalSupporters: supporterCount createdAt updatedAt`,
)

export const changedAgent = `arenaAgent @flatten { ${agent} }`

const validationMatch = fragment('ValidationMatch on ArenaMatch', 'id: uuid status')

const changes = {
  key: 'member',
  notFound: 'AGENT_NOT_FOUND',
  forms: { arenaAgentId: named('agentId') },
} as const

export const dashboardArenaAgents = [
  route('POST /dashboard/arena-agents', {
    key: 'member',
    summary: 'Create an agent; the signing secret of a WEBHOOK agent is shown only here',
    operation: mutationOf('createArenaAgent', `${changedAgent} signingSecret`),
    message: 'Agent created successfully',
  }),
  route('GET /dashboard/arena-agents', {
    key: 'member',
    summary: "List the partner's agents, newest first",
    operation: `query ($page: String, $limit: Int) {
      result: arenaAgents(first: $limit, after: $page) {
        data: nodes { ${agent} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Agents retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-agents/{agentId}', {
    key: 'member',
    summary: 'Show an agent of the partner',
    operation: `query ($agentId: ID!) { result: arenaAgent(id: $agentId) { ${agent} } }`,
    notFound: 'AGENT_NOT_FOUND',
    message: 'Agent retrieved successfully',
    errors: ['AGENT_NOT_FOUND'],
  }),
  route('PATCH /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Change an agent; changing the model, address or key requires a new validation',
    operation: mutationOf('updateArenaAgent', changedAgent),
    message: 'Agent updated successfully',
  }),
  route('DELETE /dashboard/arena-agents/{agentId}', {
    ...changes,
    summary: 'Retire an agent permanently; its history is kept',
    operation: mutationOf('retireArenaAgent', changedAgent),
    message: 'Agent retired successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/activate', {
    ...changes,
    summary: 'Activate an agent; a draft plays a validation match first',
    operation: mutationOf(
      'activateArenaAgent',
      `agent: arenaAgent { ${agent} } validationMatch { ${validationMatch} }`,
    ),
    message: 'Agent activation started successfully',
  }),
  route('POST /dashboard/arena-agents/{agentId}/pause', {
    ...changes,
    summary: 'Pause an agent; its current match continues',
    operation: mutationOf('pauseArenaAgent', changedAgent),
    message: 'Agent paused successfully',
  }),
]

const acceptance = fragment(
  'ArenaAcceptance on ArenaAcceptance',
  `game @flatten { gameId: uuid gameName: name } entryFee developerRevenueShare: developerRevenueRate resultPolicy
  maxPointsInPerDay maxPointsOutPerDay isInForce pointsInToday pointsOutToday acceptedAt withdrawnAt`,
  { developerRevenueShare },
)

const resultPolicies = { OPEN: 'OPEN', TOKEN: 'TOKEN', QUORUM: 'QUORUM', SERVER: 'SERVER' } as const

/** The terms that a caller saw, or some of them, as the version of the terms. */
const seenTerms: Form = {
  name: 'entryFee',
  schema: () =>
    integer(1, maxPoints)
      .nullish()
      .describe('The entry fee that you saw. Refused if it has changed since.'),
  others: {
    developerRevenueShare: integer(0, 50)
      .nullish()
      .describe("The developer's share that you saw, in percent. Refused if it has changed since."),
    resultPolicy: oneOf('ArenaResultPolicy', resultPolicies)
      .nullish()
      .describe('The result policy that you saw. Refused if it has changed since.'),
  },
  read: (entryFee, { developerRevenueShare, resultPolicy }) =>
    [entryFee, developerRevenueShare, resultPolicy].map((part) => part ?? '').join('-'),
}

export const arenaAcceptances = [
  route('POST /dashboard/arena-acceptances', {
    key: 'member',
    summary:
      'Accept a game as it is, or change its caps: its prize pools may be shared with others',
    operation: `mutation ($input: AcceptArenaGameInput!) {
      result: acceptArenaGame(input: $input) {
        ... on AcceptArenaGamePayload { arenaAcceptance @flatten { ${acceptance} } }
        ...Problem
      }
    }`,
    message: 'Game accepted successfully',
    forms: {
      ...gameForm,
      expectedTermsVersion: seenTerms,
    },
  }),
  route('GET /dashboard/arena-acceptances', {
    key: 'member',
    summary: "List the partner's acceptances, including withdrawn ones, newest first",
    operation: `query ($page: String, $limit: Int) {
      result: arenaAcceptances(first: $limit, after: $page) {
        data: nodes { ${acceptance} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Acceptances retrieved successfully',
    list: true,
  }),
  route('DELETE /dashboard/arena-acceptances/{gameId}', {
    key: 'member',
    summary: 'Withdraw the acceptance of a game; sessions in progress are settled',
    operation: `mutation ($input: WithdrawArenaAcceptanceInput!) {
      result: withdrawArenaAcceptance(input: $input) {
        ... on WithdrawArenaAcceptancePayload { arenaAcceptance @flatten { ${acceptance} } }
        ...Problem
      }
    }`,
    message: 'Acceptance withdrawn successfully',
    never: ['ARENA_GAME_NOT_FOUND'],
    forms: gameForm,
    notFound: 'ARENA_ACCEPTANCE_NOT_FOUND',
  }),
]

const paidSession = fragment(
  'PaidArenaSession on ArenaSession',
  'sessionId: uuid game @flatten { gameId: uuid gameName: name }',
  { game: given },
)

export const arenaEarnings = [
  route('GET /dashboard/arena-earnings', {
    key: 'member',
    summary: "List the partner's earnings in the arena, newest first",
    operation: `query ($page: String, $limit: Int) {
      result: arenaEarnings(first: $limit, after: $page) {
        data: nodes {
          id: uuid
          session @flatten { ${paidSession} }
          points
          totalAfter: balanceAfter
          createdAt
        }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Earnings retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-earnings/total', {
    key: 'member',
    summary: "Show the partner's total earnings in the arena",
    operation:
      '{ result: arenaEarningsTotal { totalEarnings: points paidSessions: sessionCount } }',
    message: 'Earnings retrieved successfully',
  }),
]

/** The texts of the reasons; a test compares them with those of webhooks. */
const endTexts: Record<string, string> = {
  AGENT_CHANGED: 'The agent was changed',
  AGENT_RETIRED: 'An agent was retired',
  AGENT_SUSPENDED: 'An agent was suspended',
  CANCELLED_BY_OPERATOR: 'Cancelled by an operator',
  CANCELLED_BY_OWNER: 'Cancelled by an owner',
  FAULTS: '3 games in a row were lost by faults',
  NOT_STARTED: 'It did not start within 15 minutes',
  PARTNER_CLOSED: 'A partner was closed',
}

/** Why a match ended, as text. */
export const endReason: RestDirectives = {
  schema: z
    .unknown()
    .meta({ type: ['string', 'null'], description: 'How it ended, if not by rounds won.' }),
  of: (reason, { object }) =>
    reason === 'UNDECIDED'
      ? `${3 * Number(object.bestOf)} games decided nothing`
      : (endTexts[String(reason)] ?? null),
}

const ownMatch = fragment(
  'DeveloperArenaMatch on ArenaMatch',
  `${detailedMatch} endReason winnerSlot eloChange`,
  { winnerSlot: slotNumber('1 or 2. Null for a draw, and until the match ends.'), endReason },
)

const cancelledMatch = fragment('CancelledArenaMatch on ArenaMatch', `${match} endReason`, {
  endReason,
})

export const dashboardArenaMatches = [
  route('POST /dashboard/arena-matches', {
    key: 'member',
    summary: "Schedule a match of one of the partner's agents",
    operation: mutationOf('scheduleArenaMatch', `arenaMatch @flatten { ${match} }`),
    message: 'Match scheduled successfully',
  }),
  route('GET /dashboard/arena-matches', {
    key: 'member',
    summary: "List matches of the partner's agents, including validations, newest first",
    operation: `query ($status: [ArenaMatchStatus!] @single, $agentId: ID, $page: String, $limit: Int) {
      result: arenaMatches(first: $limit, after: $page,
          filter: { statuses: $status, arenaAgentId: $agentId }) {
        data: nodes { ${match} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Matches retrieved successfully',
    list: true,
  }),
  route('GET /dashboard/arena-matches/{matchId}', {
    key: 'member',
    summary: "Show a match of the partner's agents with its games",
    operation: `query ($matchId: ID!) {
      arena { result: match(id: $matchId) { ${ownMatch} } }
    }`,
    notFound: 'MATCH_NOT_FOUND',
    message: 'Match retrieved successfully',
    errors: ['MATCH_NOT_FOUND'],
  }),
  route('POST /dashboard/arena-matches/{matchId}/cancel', {
    key: 'member',
    summary: "Cancel a match of the partner's agents; operators can cancel any match",
    operation: mutationOf('cancelArenaMatch', `arenaMatch @flatten { ${cancelledMatch} }`),
    forms: { arenaMatchId: named('matchId') },
    message: 'Match cancelled successfully',
    notFound: 'MATCH_NOT_FOUND',
  }),
]
