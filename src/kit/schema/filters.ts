/** Filters shared by several lists: their inputs and conditions. */
import { z } from 'zod'
import { integer, oneOf, reference } from '../validation.ts'
import { inputType } from './input.ts'

/** A period from one moment to another. */
export const Period = z
  .object({
    from: z.date().nullish().describe('The first moment that belongs to the period.'),
    to: z.date().nullish().describe('The first moment that no longer belongs to the period.'),
  })
  .describe('A period of time. An omitted bound is open.')

export type Period = z.output<typeof Period>

inputType('PeriodFilter', Period)

const bound = () =>
  integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).meta({ graphql: 'SafeInt' }).nullish()

/** A range of points. */
export const PointsFilter = z
  .object({
    min: bound().describe('The lowest number, inclusive.'),
    max: bound().describe('The highest number, inclusive.'),
  })
  .describe('A range of points. An omitted bound is open.')

export type PointsFilter = z.output<typeof PointsFilter>

inputType('PointsFilter', PointsFilter)

/** A range of a number of things, such as plays or days. */
export const CountFilter = z
  .object({
    min: integer(0, 1_000_000).nullish().describe('The lowest number, inclusive.'),
    max: integer(0, 1_000_000).nullish().describe('The highest number, inclusive.'),
  })
  .describe('A range of a number of things. An omitted bound is open.')

export type CountFilter = z.output<typeof CountFilter>

inputType('CountFilter', CountFilter)

type Value = string | number | boolean | null | undefined

/** Equality conditions for the given values. */
export const equal = (values: Record<string, Value>): object =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )

/** Some values of the GraphQL enum `name`, each once, in a fixed order. An empty list is no omitted filter (`among`). */
export const someOf = <const T extends string>(name: string, values: Record<string, T>) =>
  z.array(oneOf(name, values)).transform((chosen) => [...new Set(chosen)].sort())

/** Some event types of partners, each once, in a fixed order. */
export const someEventTypes = () =>
  z
    .array(reference())
    .max(50, 'must have at most 50 values')
    .transform((chosen) => [...new Set(chosen)].sort())

/**
 * Conditions for fields that have one of the given values. A list that is omitted or null is no condition, and an empty
 * one matches nothing: it is what is left when a client has found no value to ask for. A single value is an equality,
 * which an index with an order behind it serves best.
 */
export const among = (lists: Record<string, readonly Value[] | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) =>
      values ? [[field, values.length === 1 ? values[0] : { in: values }]] : [],
    ),
  )

/** One of several conditions; nothing if there are none. Within AND, Prisma ignores an OR of nothing. */
export const anyCondition = (conditions: readonly object[]): object =>
  conditions.length > 0 ? { OR: conditions } : { id: { in: [] } }

/** Conditions for moments within the given periods. */
export const within = (periods: Record<string, Period | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(periods).flatMap(([field, period]) => {
      const { from, to } = period ?? {}
      return from || to ? [[field, { ...(from && { gte: from }), ...(to && { lt: to }) }]] : []
    }),
  )

const dayMs = 24 * 3600 * 1000

/** Whether a period begins, and has at most so many days up to its end, or up to now if it has none. */
export const isShort = (period: Period | null | undefined, days: number, now: Date): boolean => {
  const { from, to } = period ?? {}
  return from != null && (to ?? now).getTime() - from.getTime() <= days * dayMs
}

/** A condition that one of the fields contains a text, in any case. */
export const containing = (
  text: string | null | undefined,
  fields: readonly [string, ...string[]],
): object => {
  // Escapes the wildcards of LIKE.
  const contains = text?.trim().replace(/[\\%_]/g, '\\$&')
  return contains
    ? { OR: fields.map((field) => ({ [field]: { contains, mode: 'insensitive' } })) }
    : {}
}

/** Conditions for fields that must or must not have a value. */
export const isSet = (fields: Record<string, boolean | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value == null ? [] : [[field, value ? { not: null } : null]],
    ),
  )

export const isEmpty = (where: object): boolean => Object.keys(where).length === 0
