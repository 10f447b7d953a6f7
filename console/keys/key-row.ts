import type { KeysQuery } from '../generated/types.ts'

export type KeyRow = KeysQuery['apiKeys']['nodes'][number]
