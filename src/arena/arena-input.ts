/** Common parts of arena inputs. */
import { decodeNodeId } from '../kit/node-id.ts'
import { isUuid, reference } from '../kit/validation.ts'

/** A node by its global id or its UUID. Gives the UUID as the database spells it. */
export const id = (typename: string) =>
  reference()
    .meta({ graphql: 'ID' })
    .transform((text, ctx) => {
      if (isUuid(text)) return text.toLowerCase()
      const named = decodeNodeId(text)
      if (named?.typename === typename) return named.id
      const message = named ? `is the id of another type: ${named.typename}` : 'must be a UUID'
      ctx.issues.push({ code: 'invalid_format', format: 'uuid', message, input: text })
      return ''
    })
