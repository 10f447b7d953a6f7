/** Patterns of events: a name, a group such as `arena.*`, or `*` for all. */
import { z } from 'zod'
import { refused } from '../kit/errors.ts'
import { text } from '../kit/validation.ts'
import { eventTypes } from './webhook.events.ts'

/** The pattern of the group of an event. */
export const groupOf = (type: string) => `${type.slice(0, type.indexOf('.'))}.*`

const patterns: string[] = ['*', ...new Set(eventTypes.map(groupOf)), ...eventTypes]

/** A pattern. `more` are names that only some callers may use. */
export const eventPattern = (...more: string[]) => {
  const known = [...patterns, ...more]
  return text(255).refine((event) => known.includes(event), `must be one of ${known.join(', ')}`)
}

/** The names of the events that a pattern matches. */
const typesOf = (pattern: string): string[] =>
  pattern.endsWith('.*') ? eventTypes.filter((type) => groupOf(type) === pattern) : [pattern]

const Patterns = z.array(eventPattern('test'))

/**
 * The names of the events that an argument selects; null for all, as for an empty parameter of REST. An empty list
 * selects none, as in every filter (`among`).
 * @throws TesseraError INVALID_PARAMETERS for an unknown name
 */
export const wantedTypes = (
  argument: string,
  requested: string[] | null | undefined,
): string[] | null => {
  const isEmptyText = requested?.every((name) => name === '') && requested.length > 0
  if (!requested || isEmptyText) return null
  const fault = Patterns.safeParse(requested).error?.issues[0]
  if (fault) throw refused(argument, fault.message, 'INVALID_PARAMETERS')
  return requested.includes('*') ? null : requested.flatMap(typesOf)
}
