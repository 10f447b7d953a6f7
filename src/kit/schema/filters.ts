/** Filters shared by several lists: their inputs and conditions. */
import { z } from 'zod'
import { inputType } from './input.ts'

/** A period from one moment to another. */
export const Period = z
  .object({
    from: z.date().nullish().describe('The start, inclusive.'),
    to: z.date().nullish().describe('The end, exclusive.'),
  })
  .describe('A period of time. An omitted bound is open.')

type Period = z.output<typeof Period>

inputType('PeriodFilter', Period)

type Value = string | number | boolean | null | undefined

/** Equality conditions for the given values. */
export const equal = (values: Record<string, Value>): object =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )

/** Conditions for moments within the given periods. */
export const within = (periods: Record<string, Period | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(periods).flatMap(([field, period]) => {
      const { from, to } = period ?? {}
      return from || to ? [[field, { ...(from && { gte: from }), ...(to && { lt: to }) }]] : []
    }),
  )

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
