import type { ReviewQueueQuery } from '../generated/types.ts'

export type ReviewRow = ReviewQueueQuery['admin']['arenaGames']['nodes'][number]
