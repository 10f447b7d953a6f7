/** Input schemas: one for each input, whichever face it came through. They report all bad fields. */
import { z } from 'zod'
import { type FieldError, TesseraError } from './errors.ts'

const maxJsonBytes = 16 * 1024
const maxJsonDepth = 32

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Why a value cannot be stored as free-form JSON, or null. */
const jsonFault = (value: unknown, depth = 0): string | null => {
  if (depth > maxJsonDepth) return `must be nested at most ${maxJsonDepth} deep`
  if (typeof value === 'string')
    return isStorable(value) ? null : 'must not contain NUL characters or lone surrogates'
  if (typeof value !== 'object' || value === null) return null
  for (const [key, child] of Object.entries(value)) {
    const fault = (isStorable(key) ? null : 'must not contain NUL') ?? jsonFault(child, depth + 1)
    if (fault) return fault
  }
  return null
}

/** Text of 1 to `max` characters that the database can store. */
export const text = (max: number) =>
  z
    .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be a string') })
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .refine(isStorable, 'must not contain NUL characters or lone surrogates')

/** Ids and references of the caller: 1 to 255 characters. */
export const reference = () => text(255)

/** Whole number between two bounds, both allowed. */
export const integer = (min: number, max: number) =>
  z
    .number({ error: (issue) => (issue.input == null ? 'is required' : 'must be an integer') })
    .int('must be an integer')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

/** The largest number of points in one movement. */
export const maxPoints = 2_147_483_647

export const email = () => text(255).pipe(z.email('must be an e-mail address'))

export const httpsUrl = () =>
  text(2048).pipe(z.url({ protocol: /^https$/, error: 'must be an https URL' }))

/** A free-form JSON object of at most 16 KB. */
export const jsonObject = () =>
  z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    )
    .superRefine((value, ctx) => {
      const fault = jsonFault(value)
      if (fault) ctx.addIssue(fault)
      else if (Buffer.byteLength(JSON.stringify(value)) > maxJsonBytes)
        ctx.addIssue(`must be at most ${maxJsonBytes / 1024} KB as JSON`)
    })

/** One of a few words: the values of the GraphQL enum `name`. */
export const oneOf = <const T extends string>(name: string, values: Record<string, T>) =>
  z
    .enum(values, {
      error: (issue) =>
        issue.input == null ? 'is required' : `must be one of ${Object.values(values).join(', ')}`,
    })
    .meta({ graphql: name })

const fieldErrors = (
  issues: readonly { path: readonly PropertyKey[]; code?: string | undefined; message: string }[],
): FieldError[] =>
  issues.map(({ path, code, message }) => {
    const field = path.map(String).join('.')
    if (!field) return { field, code: code ?? 'invalid', message: 'The body must be a JSON object' }
    return {
      field,
      code: message === 'is required' ? 'required' : (code ?? 'invalid'),
      message: `${field} ${message}`,
    }
  })

/**
 * Checks an input and gives it back typed, without unknown fields.
 * @throws TesseraError VALIDATION_FAILED that lists all bad fields.
 */
export const check = <T extends z.ZodType>(schema: T, input: unknown): z.output<T> => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new TesseraError('VALIDATION_FAILED', { errors: fieldErrors(result.error.issues) })
}
