/** The documents that the pages send to the API, and the types of the answers. */
import type {
  EventOfMatch,
  Slot,
  MatchState as StateOf,
} from '../../../packages/client/src/match-state.ts'

export type Tier = 'ROOKIE' | 'CONTENDER' | 'CHAMPION' | 'LEGEND'

/** The public fields of an agent. */
type Profile = { partnerName: string; wins: number; losses: number; draws: number }

export type Agent = {
  agentId: string
  displayName: string
  tier: Tier
  eloRating: number
  /** Null if the agent is not public. Then it is shown only by its matches. */
  profile: Profile | null
}

export type Match = {
  matchId: string
  matchType: 'RANKED' | 'FRIENDLY' | 'VALIDATION'
  /** A game. One without a look is shown without a board of its own. */
  gameType: string
  gameName: string
  bestOf: number
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED'
  agent1: Agent
  agent2: Agent
  agent1Score: number
  agent2Score: number
  winnerSlot: Slot | null
  endReason: string | null
  eloChange: number | null
  spectatorCount: number
  currentRoundNumber: number
  roundCount: number
  scheduledAt: string
  startedAt: string | null
  endedAt: string | null
  nextRoundAt: string | null
}

export type MatchEvent = EventOfMatch<Match>
export type MatchState = StateOf<Match>

export type LiveChange = { kind: 'SNAPSHOT' | 'STARTED' | 'CHANGED' | 'ENDED'; matches: Match[] }

type LeadingAgent = Omit<Agent, 'profile'> &
  Profile & {
    totalMatches: number
    /** The Elo ratings after each of the newest ranked matches, oldest first. */
    trend: number[]
  }

export type Leader = { rank: number; agent: LeadingAgent }

const agentFields =
  'agentId: agentUuid displayName tier eloRating profile { partnerName wins losses draws }'

const matchFields = `matchId: uuid matchType gameType gameName bestOf status agent1Score agent2Score winnerSlot
  endReason eloChange spectatorCount currentRoundNumber roundCount
  scheduledAt startedAt endedAt nextRoundAt
  agent1 { ${agentFields} } agent2 { ${agentFields} }`

const snapshotFields = `__typename seq occurredAt
  match { ${matchFields} }
  rounds { roundNumber agent1Actions agent2Actions winnerSlot agent1Fault agent2Fault }
  currentRound { roundNumber board turn moves { slot action fault } }`

const eventFields = `__typename seq occurredAt
  ... on ArenaMatchSnapshot { ${snapshotFields} }
  ... on ArenaMatchPosition { roundNumber board turn }
  ... on ArenaMatchMovesMade { moves { slot action fault } }
  ... on ArenaMatchScore { winnerSlot agent1Score agent2Score }
  ... on ArenaMatchRoundCompleted { roundNumber nextRoundAt }
  ... on ArenaMatchCompleted { endReason eloChange }
  ... on ArenaMatchCancelled { endReason }`

const leaderFields = `rank agent {
  agentId: uuid displayName partnerName tier eloRating wins losses draws
  totalMatches: matchCount trend: ratingTrend
}`

const listedLive = 24
export const listedRecent = 6
const listedLeaders = 10

export const arenaQuery = `query Arena {
  arena {
    live: matches(filter: { statuses: [IN_PROGRESS] }, first: ${listedLive}) { nodes { ${matchFields} } }
    recent: matches(filter: { statuses: [COMPLETED] }, first: ${listedRecent}) { nodes { ${matchFields} } }
    leaders: leaderboard(first: ${listedLeaders}) { totalCount { value } nodes { ${leaderFields} } }
  }
}`

export const snapshotQuery = `query Snapshot($matchId: ID!) {
  arena { snapshot: matchSnapshot(id: $matchId) { ${snapshotFields} } }
}`

export const audienceQuery = `query Audience {
  arena {
    live: matches(filter: { statuses: [IN_PROGRESS] }, first: ${listedLive}) { nodes { matchId: uuid spectatorCount } }
  }
}`

export const spectatorsQuery = `query Spectators($matchId: ID!) {
  arena { match(id: $matchId) { spectatorCount } }
}`

export const matchEventsSubscription = `subscription MatchEvents($matchId: ID!, $afterSeq: Int) {
  result: arenaMatchEvents(arenaMatchId: $matchId, afterSeq: $afterSeq) { ${eventFields} }
}`

export const liveMatchesSubscription = `subscription LiveMatches {
  result: arenaLiveMatchesChanged { kind matches { ${matchFields} } }
}`

export const leaderboardSubscription = `subscription Leaderboard {
  result: arenaLeaderboardChanged { ${leaderFields} }
}`

/** All documents that the pages of the arena send. */
export const ownDocuments = [
  arenaQuery,
  snapshotQuery,
  audienceQuery,
  spectatorsQuery,
  matchEventsSubscription,
  liveMatchesSubscription,
  leaderboardSubscription,
]
