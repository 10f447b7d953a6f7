export { type BoughtReward, useBuy } from './buy.ts'
export { type GraphqlQuery, type Mutation, useGraphql, useMutation } from './graphql.ts'
export { type LiveMatch, useLiveMatch } from './live-match.ts'
export { useLiveUser, type WatchedUser } from './live-user.ts'
export { type PlayResult, usePlay } from './play.ts'
export { TesseraProvider, useTessera } from './provider.ts'
export {
  type Query,
  useBalance,
  useGame,
  useGames,
  useGet,
  useGoals,
  useGrants,
  useLeaderboard,
  usePlays,
  useRewards,
} from './queries.ts'
