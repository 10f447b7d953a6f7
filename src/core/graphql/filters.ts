/** What filters of several lists share: their inputs, and the conditions that they become. */
import { z } from 'zod'
import { inputType } from './input.ts'

/** A time from one moment to another. */
export const Period = z
  .object({
    from: z.date().nullish().describe('From this moment on.'),
    to: z.date().nullish().describe('Before this moment.'),
  })
  .describe('A time. What is left out is open.')

type Period = z.output<typeof Period>

inputType('PeriodFilter', Period)

type Value = string | number | boolean | null | undefined

/** Those of the conditions that are given. */
export const equal = (values: Record<string, Value>): object =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )

/** Moments within the periods that are given. */
export const within = (periods: Record<string, Period | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(periods).flatMap(([field, period]) => {
      const { from, to } = period ?? {}
      return from || to ? [[field, { ...(from && { gte: from }), ...(to && { lt: to }) }]] : []
    }),
  )

/** Fields that must have a value, or must have none. */
export const isSet = (fields: Record<string, boolean | null | undefined>): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value == null ? [] : [[field, value ? { not: null } : null]],
    ),
  )

export const isEmpty = (where: object): boolean => Object.keys(where).length === 0
