import type { KeysQuery } from '../../generated/operations/types.ts'

export type KeyRow = KeysQuery['apiKeys']['nodes'][number]
