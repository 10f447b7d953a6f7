/** What the pages ask the API for, and the shapes of its answers. */

export type Tier = 'ROOKIE' | 'CONTENDER' | 'CHAMPION' | 'LEGEND'

/** What everybody may know of a public agent. */
type Profile = { partnerName: string; wins: number; losses: number; draws: number }

export type Agent = {
  agentId: string
  displayName: string
  tier: Tier
  eloRating: number
  /** Null: the agent is not public, and shown by its matches alone. */
  profile: Profile | null
}

export type Match = {
  matchId: string
  matchType: 'RANKED' | 'FRIENDLY' | 'VALIDATION'
  /** A game; one that this page does not know is shown plainly. */
  gameType: string
  bestOf: number
  status: 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED'
  agent1: Agent
  agent2: Agent
  agent1Score: number
  agent2Score: number
  winnerSlot: number | null
  endReason: string | null
  eloChange: number | null
  spectatorCount: number
  currentGameNumber: number
  totalGamesPlayed: number
  scheduledAt: string
  startedAt: string | null
  endedAt: string | null
  nextGameAt: string | null
}

/** A game that is over. Actions are the moves of a side, in their order, with spaces between. */
export type PlayedGame = {
  gameNumber: number
  agent1Action: string
  agent2Action: string
  winnerSlot: number | null
  agent1Fault: string | null
  agent2Fault: string | null
}

export type Move = { slot: number; action: string | null; fault: string | null }

export type MatchEvent = {
  seq: number
  kind:
    | 'SNAPSHOT'
    | 'MATCH_SCHEDULED'
    | 'MATCH_STARTED'
    | 'GAME_STARTED'
    | 'MOVES_MADE'
    | 'GAME_COMPLETED'
    | 'MATCH_COMPLETED'
    | 'MATCH_CANCELLED'
  at: string
  gameNumber: number | null
  firstSlot: number | null
  moves: Move[]
  board: string[][] | null
  turn: number[]
  winnerSlot: number | null
  agent1Score: number | null
  agent2Score: number | null
  nextGameAt: string | null
  reason: string | null
  eloChange: number | null
  match: Match | null
  games: PlayedGame[]
}

export type LiveChange = { kind: 'SNAPSHOT' | 'STARTED' | 'CHANGED' | 'ENDED'; matches: Match[] }

type LeadingAgent = Omit<Agent, 'profile'> &
  Profile & {
    totalMatches: number
    /** Elo after each of the newest ranked matches, oldest first. */
    trend: number[]
  }

export type Leader = { rank: number; agent: LeadingAgent }

const agentFields =
  'agentId: uuid displayName tier eloRating profile { partnerName wins losses draws }'

const matchFields = `matchId: uuid matchType gameType bestOf status agent1Score agent2Score winnerSlot
  endReason eloChange spectatorCount currentGameNumber totalGamesPlayed: gameCount
  scheduledAt startedAt endedAt nextGameAt
  agent1 { ${agentFields} } agent2 { ${agentFields} }`

const eventFields = `seq kind at gameNumber firstSlot board turn winnerSlot agent1Score agent2Score
  nextGameAt reason eloChange
  moves { slot action fault }
  match { ${matchFields} }
  games { gameNumber agent1Action agent2Action winnerSlot agent1Fault agent2Fault }`

const leaderFields = `rank agent {
  agentId: uuid displayName partnerName tier eloRating wins losses draws
  totalMatches: matchCount trend: ratingTrend
}`

const listedLive = 24
export const listedRecent = 6
const listedLeaders = 10

export const arenaQuery = `query Arena {
  arena {
    live: matches(filter: { status: IN_PROGRESS }, first: ${listedLive}) { nodes { ${matchFields} } }
    recent: matches(filter: { status: COMPLETED }, first: ${listedRecent}) { nodes { ${matchFields} } }
    leaders: leaderboard(first: ${listedLeaders}) { totalCount { value } nodes { ${leaderFields} } }
  }
}`

export const snapshotQuery = `query Snapshot($matchId: ID!) {
  arena { snapshot: matchSnapshot(id: $matchId) { ${eventFields} } }
}`

export const audienceQuery = `query Audience {
  arena {
    live: matches(filter: { status: IN_PROGRESS }, first: ${listedLive}) { nodes { matchId: uuid spectatorCount } }
  }
}`

export const spectatorsQuery = `query Spectators($matchId: ID!) {
  arena { match(id: $matchId) { spectatorCount } }
}`

export const matchEventsSubscription = `subscription MatchEvents($matchId: ID!, $sinceSeq: Int) {
  result: matchEvents(matchId: $matchId, sinceSeq: $sinceSeq) { ${eventFields} }
}`

export const liveMatchesSubscription = `subscription LiveMatches {
  result: liveMatches { kind matches { ${matchFields} } }
}`

export const leaderboardSubscription = `subscription Leaderboard {
  result: agentLeaderboardChanged { ${leaderFields} }
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
