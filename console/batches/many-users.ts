import type { UserFilter } from '../generated/types.ts'

/** The users that something is done to: all who match the filter, now and when their turn comes. */
export type ManyUsers = {
  filter: UserFilter
  count: { value: number; precision: 'EXACT' | 'AT_LEAST' }
  /** What they are called, such as the name of their segment. */
  name?: string | undefined
}
