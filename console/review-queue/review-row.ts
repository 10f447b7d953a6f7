import type { ReviewQueueQuery } from '../generated/types.ts'

export type ReviewRow = ReviewQueueQuery['platform']['arenaGames']['nodes'][number]
