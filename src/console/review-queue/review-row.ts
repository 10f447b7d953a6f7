import type { ReviewQueueQuery } from '../../generated/operations/types.ts'

export type ReviewRow = ReviewQueueQuery['admin']['arenaGames']['nodes'][number]
