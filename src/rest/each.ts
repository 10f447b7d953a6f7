/**
 * Lists whose items succeed or fail on their own. GraphQL refuses a whole list for one item of a wrong type, so
 * invalid items are found first and only the others are sent.
 */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  parseValue,
} from 'graphql'
import type { z } from 'zod'
import { TesseraError } from '../kit/errors.ts'
import { check } from '../kit/validation.ts'
import { inNamesOf, type Template, templateOf } from './input-template.ts'
import type { Each } from './route.ts'
import { checkInput } from './variables.ts'

type Values = Record<string, unknown>

/** The items of a list as a template. */
export const itemTemplateOf = ({ field, item }: Each, type: GraphQLInputType): Template => {
  const input = getNamedType(type)
  const list = isInputObjectType(input) ? input.getFields()[field]?.type : undefined
  const written = parseValue(item)
  const inner = list && getNullableType(list)
  if (!isListType(inner) || written.kind !== Kind.OBJECT) throw new Error(`${field} is no list`)
  return templateOf(written, inner.ofType)
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sends the valid items of a list, and answers for all of them. */
export const prepareEach = (each: Each, type: GraphQLInputType) => {
  const { type: itemType, places, fill } = itemTemplateOf(each, type)
  const schema = getNamedType(itemType).extensions.schema as z.ZodType
  const faultOf = (item: unknown): string | undefined => {
    try {
      check(schema, item)
      return undefined
    } catch (error) {
      if (!(error instanceof TesseraError)) throw error
      const faults = inNamesOf(places, error).errors ?? []
      return faults.map(({ field, message }) => (field ? message : each.odd)).join('; ')
    }
  }
  /** @throws TesseraError VALIDATION_FAILED for problems with the list as a whole */
  return async (
    input: unknown,
    send: (input: unknown, isChecked: boolean) => Promise<unknown>,
  ): Promise<unknown> => {
    const items = isObject(input) ? input[each.field] : undefined
    if (!Array.isArray(items)) return send(input, false)
    checkInput(type, input)
    const refused = new Map<number, string>()
    const good = items.flatMap((raw, index) => {
      const item = isObject(raw) ? fill(raw) : raw
      const fault = faultOf(item)
      if (fault === undefined) return [item]
      refused.set(index, fault)
      return []
    })
    // Sent as checked, because coercing 500 items takes longer than checking them.
    const checked = { ...(input as Values), [each.field]: good }
    const answer = good.length > 0 ? await send(checked, true) : null
    return each.answer(answer as Values | null, refused)
  }
}
