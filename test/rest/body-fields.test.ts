/**
 * The fields of all bodies: unknown ones are ignored, and refused ones are named, at every depth. Neighbours that were
 * looked for: every route with a body, at every depth of its fields.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'
import { document } from './documented.ts'

let world: World
let credentials: Record<string, string | undefined>

beforeAll(async () => {
  world = await createWorld()
  await world.givePoints('ann', 1)
  const bearer = await world.signInAs('OPERATOR')
  credentials = { publicKey: world.keys.public, secretKey: world.keys.secret, bearer }
})
afterAll(() => world.end())

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}
type Operation = { name: string; method: string; path: string; schema: Schema; key: string }

const operations: Operation[] = Object.entries<Record<string, never>>(document.paths).flatMap(
  ([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
    Object.entries<any>(item).flatMap(([method, { requestBody, security }]) => {
      const schema = requestBody?.content['application/json'].schema
      const key = Object.keys(security[0] ?? { anyone: [] })[0] as string
      const name = `${method.toUpperCase()} ${path}`
      return schema ? [{ name, method: method.toUpperCase(), path, schema, key }] : []
    }),
)

const resolved = (schema: Schema): Schema => {
  const [, name = ''] = schema.$ref?.match(/([^/]+)$/) ?? []
  if (schema.$ref) return resolved(document.components.schemas[name])
  const [choice] = (schema.anyOf ?? schema.oneOf ?? [])
    .map(resolved)
    .filter((item) => item.type !== 'null')
  return choice ?? schema
}

const typeOf = ({ type, properties }: Schema): string | undefined =>
  properties ? 'object' : [type].flat().find((item) => item !== 'null')

/** Whether it is free-form, whose keys are all known. */
const isFree = (schema: Schema) => typeOf(schema) === 'object' && !schema.properties

const unknown = 'notAField'

/** Valid texts by the names of their fields. */
const texts: [RegExp, string][] = [
  [/^(game|agent|agent1|agent2)Id$/, '00000000-0000-4000-8000-000000000000'],
  [/email/i, 'ann@example.com'],
  [/url$/i, 'https://example.com/x'],
  [/(At|^from|^to)$/, '2026-01-01T00:00:00Z'],
  [/^country$/, 'DE'],
  [/password/i, 'a long password'],
  [/^events$/, '*'],
  [/Json$/, '{}'],
]

/** A value of the schema, with an unknown field in each object. */
const sampleOf = (given: Schema, name = ''): unknown => {
  const schema = resolved(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'object':
      return isFree(schema)
        ? {}
        : {
            ...Object.fromEntries(
              Object.entries(schema.properties ?? {}).map(([name, item]) => [
                name,
                sampleOf(item, name),
              ]),
            ),
            [unknown]: { deep: [1] },
          }
    case 'array':
      return [sampleOf(schema.items ?? {}, name)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'abc'
  }
}

type Path = (string | number)[]

/** The paths of all values that are not free-form, the containers of others included. */
const pathsOf = (given: Schema, path: Path = []): Path[] => {
  const schema = resolved(given)
  const inner =
    typeOf(schema) === 'array'
      ? pathsOf(schema.items ?? {}, [...path, 0])
      : Object.entries(schema.properties ?? {}).flatMap(([name, item]) =>
          pathsOf(item, [...path, name]),
        )
  return [path, ...inner]
}

const replaced = (value: unknown, [first, ...rest]: Path, by: unknown): unknown => {
  if (first === undefined) return by
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? replaced(item, rest, by) : item))
  const object = value as Record<string, unknown>
  return { ...object, [first]: replaced(object[first], rest, by) }
}

const send = ({ method, path, key }: Operation, body: unknown) => {
  const credential = credentials[key]
  return world.call(method, path.replace(/\{\w+\}/g, 'x'), {
    ...(credential && { key: credential }),
    body,
  })
}

const isNamed = ({ field, code, message }: Record<string, unknown>) =>
  typeof field === 'string' && typeof code === 'string' && typeof message === 'string'

describe.each(operations)('$name', (operation) => {
  test('ignores unknown fields at every depth', async () => {
    const { status, body, text } = await send(operation, sampleOf(operation.schema))
    expect(status, text).toBeLessThan(500)
    expect(text).not.toContain(unknown)
    if (['VALIDATION_FAILED', 'INVALID_PARAMETERS'].includes(body.errorCode))
      expect(body.errors?.length, text).toBeGreaterThan(0)
  })

  test('names each field that it refuses', async () => {
    const sample = sampleOf(operation.schema)
    for (const path of pathsOf(operation.schema))
      for (const wrong of [{ a: 1 }, [[]], 'x'.repeat(300), -1.5]) {
        const answer = await send(operation, replaced(sample, path, wrong))
        const context = `${path.join('.')} = ${JSON.stringify(wrong).slice(0, 20)}: ${answer.text}`
        expect(answer.status, context).toBeLessThan(500)
        if (['VALIDATION_FAILED', 'INVALID_PARAMETERS'].includes(answer.body.errorCode)) {
          expect(answer.body.errors?.length, context).toBeGreaterThan(0)
          expect(answer.body.errors.every(isNamed), context).toBe(true)
        }
      }
  })
})
