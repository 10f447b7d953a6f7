/** Global ids: a type and a UUID as one opaque text. */
import { z } from 'zod'
import { isUuid } from './validation.ts'

const format = /^([A-Z]\w{0,63}):([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/
/** Characters of an encoded id, with room for padding. Other texts are refused without being decoded. */
const lengths = { min: 51, max: 136 }

export type NodeId = { typename: string; id: string }

export const encodeNodeId = (typename: string, id: string): string =>
  Buffer.from(`${typename}:${id}`).toString('base64url')

/** The type and the UUID of a global id; null for any other text. */
export const decodeNodeId = (text: string): NodeId | null => {
  if (text.length < lengths.min || text.length > lengths.max) return null
  const [, typename, id] = format.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return typename && id ? { typename, id } : null
}

const withArticle = (typename: string) => `${/^[AEIO]/.test(typename) ? 'an' : 'a'} ${typename}`

/** An input that names a node of a type by its global id or its UUID. Parses to the UUID. */
export const nodeId = (typename: string) =>
  z
    .string({ error: (issue) => (issue.input == null ? 'is required' : 'must be an id') })
    .meta({ graphql: 'ID', node: typename })
    .transform((text, ctx) => {
      if (isUuid(text)) return text.toLowerCase()
      const named = decodeNodeId(text)
      if (named?.typename === typename) return named.id
      ctx.addIssue(
        named
          ? `is the id of ${withArticle(named.typename)}, not of ${withArticle(typename)}`
          : `is not the id of ${withArticle(typename)}`,
      )
      return z.NEVER
    })

/** An input that names a node of any type. Parses to the UUID. */
export const anyNodeId = () =>
  z
    .string()
    .meta({ graphql: 'ID' })
    .transform((text, ctx) => {
      if (isUuid(text)) return text.toLowerCase()
      const named = decodeNodeId(text)
      if (named) return named.id
      ctx.addIssue('is not an id')
      return z.NEVER
    })

/** A lookup by exactly one of several keys. */
export const oneKey = <S extends Record<string, z.ZodType>>(keys: S) =>
  z
    .object(keys, {
      error: (issue) => (issue.input == null ? 'is required' : 'must be an object'),
    })
    .partial()
    .superRefine((value, ctx) => {
      const named = Object.keys(value)
      const given = named.filter((name) => value[name as keyof typeof value] !== undefined)
      if (given.length === 1) return
      // REST names its only key even when it has no value.
      if (named.length === 1) ctx.addIssue({ code: 'custom', path: named, message: 'is required' })
      else ctx.addIssue(`must have exactly one of ${Object.keys(keys).join(', ')}`)
    })
    .meta({ isOneOf: true })
