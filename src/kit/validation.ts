/** Input schemas, shared by REST and GraphQL. They report all invalid fields. */
import { z } from 'zod'
import { type FieldError, type FieldErrorCode, fieldErrorCodes, TesseraError } from './errors.ts'
import { currency } from './money.ts'

const maxJsonBytes = 16 * 1024
const maxJsonDepth = 32

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Why a text cannot be stored. */
const storageFault = (text: string) =>
  text.includes('\0') ? 'must not contain NUL characters' : 'must not contain lone surrogates'

/** Refuses text that the database cannot store. */
export const storable = (schema: z.ZodString): z.ZodString =>
  schema.refine(isStorable, { error: ({ input }) => storageFault(String(input)) })

/** Why a number is refused: integers beyond it have lost digits when they were parsed. */
const inexact = `must not be a number beyond ${Number.MAX_SAFE_INTEGER}, which would lose digits; send it as text`

type Place = { value: unknown; key: string; parent?: Place }

const pathTo = (place: Place): string[] => {
  const keys: string[] = []
  for (let { key, parent } = place; parent; { key, parent } = parent) keys.push(key)
  return keys.reverse()
}

/** The path of the first number in a value that may have lost digits; undefined if there is none. */
export const findInexact = (value: unknown): string[] | undefined => {
  const places: Place[] = [{ value, key: '' }]
  for (const place of places) {
    const { value } = place
    if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
      return pathTo(place)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, child] of Object.entries(value))
      places.push({ value: child, key, parent: place })
  }
  return undefined
}

/** Why a value cannot be stored as free-form JSON, or null. */
const jsonFault = (value: unknown, depth = 0): string | null => {
  if (depth > maxJsonDepth) return `must be nested at most ${maxJsonDepth} deep`
  if (typeof value === 'string') return isStorable(value) ? null : storageFault(value)
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : inexact
  if (typeof value !== 'object' || value === null) return null
  for (const [key, child] of Object.entries(value)) {
    const fault = jsonFault(key, depth) ?? jsonFault(child, depth + 1)
    if (fault) return fault
  }
  return null
}

/** Text of 1 to `max` characters that the database can store. */
export const text = (max: number) =>
  storable(
    z
      .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be a string') })
      .min(1, 'must not be empty')
      .max(max, `must be at most ${max} characters`),
  )

/** Ids and references of the caller: 1 to 255 characters. */
export const reference = () => text(255)

/** Whether a text is a UUID. No other text reaches a UUID column. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success

/** A whole number between two bounds, inclusive. */
export const integer = (min: number, max: number) =>
  z
    .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be an integer') })
    .int('must be an integer')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

/** An amount of money between two bounds in cents, inclusive. */
export const money = (min: number, max: number) =>
  z
    .object(
      {
        amountCents: integer(min, max)
          .meta({ graphql: 'SafeInt' })
          .describe('In hundredths of the currency unit.'),
        currency: z
          .literal(currency, {
            error: (issue) => (issue.input == null ? 'is required' : `must be ${currency}`),
          })
          .describe(`ISO 4217 code: \`${currency}\`, the only currency.`),
      },
      { error: (issue) => (issue.input == null ? 'is required' : 'must be an object') },
    )
    .meta({ graphql: 'MoneyInput' })
    .describe('An amount of money.')

/** A share of 0 to `max`, in whole percent. */
export const rate = (max: number) =>
  z
    .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be a number') })
    .min(0, 'must be at least 0')
    .max(max, `must be at most ${max}`)
    .refine(
      (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-9,
      'must have at most two decimals',
    )
    .meta({ graphql: 'Float' })

/** true or false. */
export const flag = () =>
  z.boolean({
    error: (issue) => (issue.input == null ? 'is required' : 'must be true or false'),
  })

/** A display name: not only white space. */
export const title = (max: number) =>
  text(max).refine((name) => name === '' || name.trim() !== '', 'must not be blank')

/** The largest number of points in one movement. */
export const maxPoints = 2_147_483_647

export const email = () => text(255).pipe(z.email('must be an e-mail address'))

/** A URL of one of these schemes. */
export const urlOf = (protocol: RegExp, error: string) =>
  text(2048).meta({ graphql: 'URL' }).pipe(z.url({ protocol, error }))

export const httpsUrl = () => urlOf(/^https$/, 'must be an https URL')

/** A color as `#RRGGBB`. */
export const color = () => text(7).regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #1A2B3C')

const isoMoment =
  /^(?<day>\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Parses a moment in ISO 8601, in UTC if it names no zone; null for any other text. Years are limited to
 * 1 to 9999, which the database can store. (`Date.parse` accepts even `soon 5`.)
 */
export const readMoment = (text: string): Date | null => {
  const { day, zone } = isoMoment.exec(text)?.groups ?? {}
  // `Date` turns February 30 into March 2.
  const midnight = new Date(`${day}T00:00:00Z`)
  if (!day || Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day))
    return null
  const date = new Date(zone || !text.includes('T') ? text : `${text}Z`)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : null
}

/** A moment in ISO 8601, of the years 1970 to 9999. */
export const moment = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (readMoment(value) ?? value) : value),
    z
      .date({
        error: (issue) => (issue.input == null ? 'is required' : 'must be a moment in ISO 8601'),
      })
      .min(new Date(0), 'must not be before 1970')
      .max(new Date('9999-12-31T23:59:59.999Z'), 'must not be after the year 9999'),
  )

/** Refuses a free-form value that cannot be stored, or that is more than `maxBytes` as JSON. */
const refuseUnstorable =
  (maxBytes: number) => (value: unknown, ctx: Pick<z.RefinementCtx, 'addIssue'>) => {
    const message = jsonFault(value)
    if (message === inexact)
      ctx.addIssue({ code: 'custom', message, path: findInexact(value) ?? [] })
    else if (message) ctx.addIssue(message)
    else if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
      ctx.addIssue(`must be at most ${maxBytes / 1024} KB as JSON`)
  }

/** A free-form JSON object of at most 16 KB. */
export const jsonObject = () =>
  z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    )
    .superRefine(refuseUnstorable(maxJsonBytes))

/** Any free-form JSON value but null, of at most `maxBytes`. */
export const jsonValue = (maxBytes: number) =>
  z
    .custom<NonNullable<unknown>>((value) => value != null, 'is required')
    .superRefine(refuseUnstorable(maxBytes))

/** A field whose message becomes the message of the whole error, as the interface documents it. */
export const headline = <T extends z.ZodType>(schema: T): T => schema.meta({ headline: true })

/** A value of the GraphQL enum `name`. */
export const oneOf = <const T extends string>(name: string, values: Record<string, T>) =>
  z
    .enum(values, {
      error: (issue) =>
        issue.input == null ? 'is required' : `must be one of ${Object.values(values).join(', ')}`,
    })
    .meta({ graphql: name })

const codeOf = (code: string | undefined): FieldErrorCode =>
  code !== undefined && Object.hasOwn(fieldErrorCodes, code) ? (code as FieldErrorCode) : 'invalid'

const fieldErrors = (
  issues: readonly { path: readonly PropertyKey[]; code?: string | undefined; message: string }[],
): FieldError[] =>
  issues.map(({ path, code, message }) => {
    const field = path.map(String).join('.')
    if (!field) return { field, code: codeOf(code), message: 'The body must be a JSON object' }
    return {
      field,
      code: message === 'is required' ? 'required' : codeOf(code),
      message: `${field} ${message}`,
    }
  })

/** The message of the first invalid field that is a `headline`. */
const headlineOf = (schema: z.ZodType, errors: FieldError[]): string | undefined =>
  schema instanceof z.ZodObject
    ? errors.find(({ field }) => {
        const named: z.ZodType | undefined = schema.shape[field]
        return named && z.globalRegistry.get(named)?.headline
      })?.message
    : undefined

/**
 * Checks an input and returns it typed, without unknown fields.
 * @throws TesseraError VALIDATION_FAILED that lists all invalid fields.
 */
export const check = <T extends z.ZodType>(schema: T, input: unknown): z.output<T> => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const errors = fieldErrors(result.error.issues)
  const message = headlineOf(schema, errors)
  throw new TesseraError('VALIDATION_FAILED', { errors, ...(message && { message }) })
}
