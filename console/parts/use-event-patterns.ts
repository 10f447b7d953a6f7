import { usePage } from '../client/use-page.ts'
import { eventKinds } from '../generated/event-patterns.ts'

/** The patterns for a filter of events, each group before its events. Undefined until they are loaded. */
export const useEventPatterns = (): readonly string[] | undefined => {
  const { data } = usePage(eventKinds, {})
  return data && [...new Set(data.eventKinds.flatMap(({ group, name }) => [group, name]))]
}
