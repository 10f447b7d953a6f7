/** The documents that the pages send to the API, and the types of the answers. */

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
  /** A game. An unknown game is shown without a board of its own. */
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

/** A completed game. Actions are the moves of a side in order, separated by spaces. */
export type FinishedGame = {
  gameNumber: number
  agent1Action: string
  agent2Action: string
  winnerSlot: number | null
  agent1Fault: string | null
  agent2Fault: string | null
}

export type Move = { slot: number; action: string | null; fault: string | null }

type Position = { gameNumber: number; board: string[][]; turn: number[] }
type Score = { winnerSlot: number | null; agent1Score: number; agent2Score: number }

type Kinds = {
  ArenaMatchSnapshot: {
    match: Match
    games: FinishedGame[]
    currentGame: (Position & { moves: Move[] }) | null
  }
  ArenaMatchScheduled: unknown
  ArenaMatchStarted: unknown
  ArenaMatchGameStarted: Position
  ArenaMatchMovesMade: Position & { moves: Move[] }
  ArenaMatchGameCompleted: Score & { gameNumber: number; nextGameAt: string | null }
  ArenaMatchCompleted: Score & { endReason: string | null; eloChange: number | null }
  ArenaMatchCancelled: { endReason: string | null }
}

export type MatchEventKind = keyof Kinds
export type EventOf<K extends MatchEventKind> = { kind: K; seq: number; at: string } & Kinds[K]
export type MatchEvent = { [K in MatchEventKind]: EventOf<K> }[MatchEventKind]

export type LiveChange = { kind: 'SNAPSHOT' | 'STARTED' | 'CHANGED' | 'ENDED'; matches: Match[] }

type LeadingAgent = Omit<Agent, 'profile'> &
  Profile & {
    totalMatches: number
    /** The Elo ratings after each of the newest ranked matches, oldest first. */
    trend: number[]
  }

export type Leader = { rank: number; agent: LeadingAgent }

const agentFields =
  'agentId: uuid displayName tier eloRating profile { partnerName wins losses draws }'

const matchFields = `matchId: uuid matchType gameType bestOf status agent1Score agent2Score winnerSlot
  endReason eloChange spectatorCount currentGameNumber totalGamesPlayed: gameCount
  scheduledAt startedAt endedAt nextGameAt
  agent1 { ${agentFields} } agent2 { ${agentFields} }`

const snapshotFields = `kind: __typename seq at
  match { ${matchFields} }
  games { gameNumber agent1Action agent2Action winnerSlot agent1Fault agent2Fault }
  currentGame { gameNumber board turn moves { slot action fault } }`

const eventFields = `kind: __typename seq at
  ... on ArenaMatchSnapshot { ${snapshotFields} }
  ... on ArenaMatchPosition { gameNumber board turn }
  ... on ArenaMatchMovesMade { moves { slot action fault } }
  ... on ArenaMatchScore { winnerSlot agent1Score agent2Score }
  ... on ArenaMatchGameCompleted { gameNumber nextGameAt }
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
    live: matches(filter: { status: IN_PROGRESS }, first: ${listedLive}) { nodes { ${matchFields} } }
    recent: matches(filter: { status: COMPLETED }, first: ${listedRecent}) { nodes { ${matchFields} } }
    leaders: leaderboard(first: ${listedLeaders}) { totalCount { value } nodes { ${leaderFields} } }
  }
}`

export const snapshotQuery = `query Snapshot($matchId: ID!) {
  arena { snapshot: matchSnapshot(id: $matchId) { ${snapshotFields} } }
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
