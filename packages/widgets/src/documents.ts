/** The documents that several widgets send. */

export const brandFields = 'logoUrl accent { light dark } imageUrl promoter terms termsUrl language'

export const viewerQuery = `query WidgetViewer {
  viewer { environment partner { slug brand { ${brandFields} } } }
}`

export const walletFields = 'balance freePlays { gameType count nextEndsAt }'

export const userQuery = `query WidgetUser($externalId: String!) {
  user(by: { externalId: $externalId }) { ${walletFields} }
}`

export const gameQuery = `query WidgetGame($gameType: GameType!) {
  game(gameType: $gameType) {
    name description price version
    config { segments rewards { tier type value label probability } }
  }
}`

const playFields = `uuid gameType pointsSpent playedAt
  outcome {
    ... on WheelOutcome { winningSegment spinAngle }
    ... on SlotsOutcome { reels }
    ... on BoxesOutcome { boxIndex }
  }
  reward { tier type value label }`

export const playMutation = `mutation WidgetPlay($externalId: String!, $gameType: GameType!) {
  result: playGame(input: { user: { externalId: $externalId }, gameType: $gameType }) {
    ... on PlayGamePayload { play { ${playFields} gameVersionNumber } user { ${walletFields} } }
    ... on Error { code message }
    ... on InsufficientPointsError { balance }
  }
}`

export const playsQuery = `query WidgetPlays($externalId: String!, $first: Int!, $after: String) {
  user(by: { externalId: $externalId }) {
    plays(first: $first, after: $after) {
      nodes { ${playFields} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

const leaderFields = 'rank user { id externalId displayName score }'

export const leaderboardQuery = `query WidgetLeaderboard($first: Int!) {
  leaderboard(first: $first) { nodes { ${leaderFields} } }
}`

export const leaderboardAroundQuery = `query WidgetLeaderboardAround($externalId: String!) {
  leaderboardAround(user: { externalId: $externalId }, distance: 0) { ${leaderFields} }
}`

export const offerFields = 'uuid title description points creditsPoints status expiresAt'

export const offersQuery = `query WidgetOffers($externalId: String!) {
  user(by: { externalId: $externalId }) {
    offers(filter: { statuses: [ACTIVE] }, first: 20) { nodes { ${offerFields} } }
  }
}`

export const claimMutation = `mutation WidgetClaim($externalId: String!, $offerId: ID!) {
  result: claimOffer(input: { user: { externalId: $externalId }, offerId: $offerId }) {
    ... on ClaimOfferPayload { offer { ${offerFields} } user { balance } }
    ... on Error { code message }
  }
}`

export const rewardFields = 'uuid name description imageUrl kind points'

const goalFields = `slug name description imageUrl status startedAt
  tasks { name target measure { facts of } }
  rewards { ${rewardFields} }`

export const goalStateFields = `state nextAction endsAt nextWindowAt completionCount isCounting isInSegment
  requires { isMet goal { name } }`

const userGoalFields = `goal { ${goalFields} } tasks { name target rate } ${goalStateFields}`

export const goalsQuery = `query WidgetGoals($externalId: String!, $categories: [String!], $after: String) {
  user(by: { externalId: $externalId }) {
    list: goals(filter: { categories: $categories }, first: 50, after: $after) {
      nodes { ${userGoalFields} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const publicGoalsQuery = `query WidgetPublicGoals($categories: [String!]) {
  goals(first: 30, filter: { categories: $categories }) { nodes { ${goalFields} endsAt } }
}`

export const grantsQuery = `query WidgetGrants($externalId: String!, $filter: UserGrantFilter, $after: String) {
  user(by: { externalId: $externalId }) {
    list: grants(filter: $filter, first: 100, after: $after) {
      nodes { uuid points status needsClaim heldUntil claimExpiresAt issuedAt reward { ${rewardFields} }
        goalCompletion { goal { slug } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const joinGoalMutation = `mutation WidgetJoinGoal($externalId: String!, $slug: String!) {
  result: joinGoal(input: { user: { externalId: $externalId }, goal: { slug: $slug } }) {
    ... on JoinGoalPayload { userGoal { state } }
    ... on Error { code message }
  }
}`

export const claimGrantMutation = `mutation WidgetClaimGrant($externalId: String!, $grantId: ID!) {
  result: claimGrant(input: { user: { externalId: $externalId }, grantId: $grantId }) {
    ... on ClaimGrantPayload { user { ${walletFields} } }
    ... on Error { code message }
    ... on NotActiveError { status }
  }
}`

const sideFields = 'uuid: agentUuid displayName tier eloRating'

const matchFields = `uuid gameType gameName bestOf status agent1Score agent2Score winnerSlot spectatorCount
  currentRoundNumber roundCount
  agent1 { ${sideFields} } agent2 { ${sideFields} }`

export const liveMatchQuery = `query WidgetLiveMatch {
  arena { matches(filter: { statuses: [IN_PROGRESS] }, first: 1) { nodes { uuid } } }
}`

export const matchSubscription = `subscription WidgetMatch($matchId: ID!, $afterSeq: Int) {
  result: arenaMatchEvents(arenaMatchId: $matchId, afterSeq: $afterSeq) {
    __typename seq occurredAt
    ... on ArenaMatchSnapshot {
      match { ${matchFields} }
      currentRound { roundNumber board turn moves { slot action fault } }
    }
    ... on ArenaMatchPosition { roundNumber board turn }
    ... on ArenaMatchMovesMade { moves { slot action fault } }
    ... on ArenaMatchScore { winnerSlot agent1Score agent2Score }
    ... on ArenaMatchRoundCompleted { roundNumber }
  }
}`
