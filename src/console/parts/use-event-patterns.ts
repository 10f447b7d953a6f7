import { eventKinds } from '../../generated/operations/event-patterns.ts'
import { usePage } from '../client/use-page.ts'

/** What a filter of events takes: each group before its events. Undefined until it is known. */
export const useEventPatterns = (): readonly string[] | undefined => {
  const { data } = usePage(eventKinds, {})
  return data && [...new Set(data.eventKinds.flatMap(({ group, type }) => [group, type]))]
}
