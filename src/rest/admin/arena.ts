import { z } from 'zod'
import { flag } from '../../kit/validation.ts'
import { named } from '../codecs.ts'
import {
  changedAgent,
  changedGame,
  developerGame,
  developerGameWithBuilds,
  gameForm,
} from '../dashboard/arena.ts'
import { fragment, route } from '../route.ts'

const partner = 'partner @flatten { partnerId: uuid }'

const administered = fragment('AdministeredArenaGame on ArenaGame', `${partner} ${developerGame}`)
const administeredWithBuilds = fragment(
  'AdministeredArenaGameWithBuilds on ArenaGame',
  `${partner} ${developerGameWithBuilds}`,
)

const featuring = (name: 'featureArenaGame' | 'unfeatureArenaGame') =>
  `mutation ($gameId: ID!) {
    result: ${name}(input: { arenaGame: { id: $gameId } }) {
      ... on ${name === 'featureArenaGame' ? 'FeatureArenaGamePayload' : 'UnfeatureArenaGamePayload'} {
        arenaGame @flatten { ${administered} }
      }
      ...Problem
    }
  }`

export const adminArenaGames = [
  route('GET /admin/arena-games', {
    key: 'operator',
    summary: 'List the games of all developers, newest first',
    operation: `query ($status: [ArenaGameStatus!] @single, $page: String, $limit: Int) {
      platform {
        result: arenaGames(filter: { statuses: $status }, first: $limit, after: $page) {
          data: nodes { ${administered} }
          totalCount { value }
        }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Games retrieved successfully',
    list: true,
  }),
  route('GET /admin/arena-games/{gameId}', {
    key: 'operator',
    summary: 'Show a game with its review history',
    operation: `query ($gameId: ID!) {
      platform { result: arenaGame(by: { id: $gameId }) { ${administeredWithBuilds} } }
    }`,
    notFound: 'ARENA_GAME_NOT_FOUND',
    message: 'Game retrieved successfully',
    errors: ['ARENA_GAME_NOT_FOUND'],
  }),
  route('POST /admin/arena-games/{gameId}/review', {
    key: 'operator',
    summary: 'Approve or reject the newest build of a game',
    operation: changedGame('reviewArenaGame', administered),
    forms: { ...gameForm, verdict: named('status'), buildNumber: named('buildNo') },
    message: 'Game reviewed successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('POST /admin/arena-games/{gameId}/feature', {
    key: 'operator',
    summary: 'Feature a public game, or stop featuring it',
    operation: {
      by: z
        .object({ featured: flag().describe('Whether it is featured.') })
        .describe('Whether a game stands among the featured ones.'),
      true: featuring('featureArenaGame'),
      false: featuring('unfeatureArenaGame'),
    },
    message: 'Game updated successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
  route('DELETE /admin/arena-games/{gameId}', {
    key: 'operator',
    summary: "Archive any developer's game",
    operation: changedGame('archiveAnyArenaGame', administered),
    forms: gameForm,
    message: 'Game archived successfully',
    notFound: 'ARENA_GAME_NOT_FOUND',
  }),
]

const suspension = (name: 'suspendArenaAgent' | 'reinstateArenaAgent') =>
  `mutation ($agentId: ID!) {
    result: ${name}(input: { arenaAgentId: $agentId }) {
      ... on ${name === 'suspendArenaAgent' ? 'SuspendArenaAgentPayload' : 'ReinstateArenaAgentPayload'} {
        ${changedAgent}
      }
      ...Problem
    }
  }`

export const adminArenaAgents = [
  route('POST /admin/arena-agents/{agentId}/suspend', {
    key: 'operator',
    summary: 'Suspend or reinstate an agent of any partner',
    operation: {
      by: z
        .object({
          suspended: flag().describe('false makes it a draft, which its owner can activate.'),
        })
        .describe('An agent to suspend.'),
      true: suspension('suspendArenaAgent'),
      false: suspension('reinstateArenaAgent'),
    },
    message: 'Agent suspension changed successfully',
    notFound: 'AGENT_NOT_FOUND',
  }),
]
