/** What the OpenAPI document says of each operation: descriptions, and examples that are true. */
import { describe, expect, test } from 'vitest'
import { document } from './documented.ts'
import { shapeFaults, whole } from './json-shape.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
type Schema = any

const operations = Object.entries<Record<string, Schema>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)

/** The properties of a schema that nothing describes. */
const undescribed = (schema: Schema, path: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const inside = [
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ]
  return [
    ...inside.flatMap((inner) => undescribed(inner, path)),
    ...Object.entries<Schema>(schema.properties ?? {}).flatMap(([name, child]) => [
      ...(child.description || child.$ref ? [] : [`${path}.${name}`]),
      ...undescribed(child, `${path}.${name}`),
    ]),
  ]
}

const answerOf = ({ responses }: Schema) =>
  Object.entries<Schema>(responses).find(([status]) => status.startsWith('2'))?.[1].content[
    'application/json'
  ]

test('every group of operations is described, in one place', () => {
  const named = document.tags.map(({ name }: { name: string }) => name)
  expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(new Set(named))
  expect(document.tags.filter((tag: Schema) => !tag.description)).toEqual([])
})

test('every schema and each of its properties has a description', () => {
  const { schemas } = document.components
  const names = Object.keys(schemas)
  expect(names.filter((name) => !schemas[name].description)).toEqual([])
  expect(names.flatMap((name) => undescribed(schemas[name], name))).toEqual([])
})

describe.each(operations)('$call', ({ operation }) => {
  const body = operation.requestBody?.content['application/json']
  const answer = answerOf(operation)

  test('describes its parameters, its body and its answer', () => {
    const parameters = operation.parameters.map((parameter: Schema) => whole(document, parameter))
    expect(parameters.filter((parameter: Schema) => !parameter.description)).toEqual([])
    for (const parameter of parameters)
      if (parameter.in === 'path') expect(parameter).toHaveProperty('example')
    expect(undescribed(body?.schema, 'body')).toEqual([])
    expect(undescribed(answer.schema, 'answer')).toEqual([])
  })

  test('has examples that fit', () => {
    expect(body ? shapeFaults(document, body.schema, body.example) : []).toEqual([])
    const { code: _, ...example } = answer.example
    const { code, ...properties } = whole(document, answer.schema).properties
    const required = Object.keys(properties)
    expect(shapeFaults(document, { type: 'object', properties, required }, example)).toEqual([])
    const text = JSON.stringify([body?.example, answer.example])
    expect(text).not.toContain('"text"')
    if (code) expect(answer.example.code).toBeGreaterThanOrEqual(200)
  })
})

test('defaults of lists are those of the interface', () => {
  const defaultOf = (call: string, name: string) => {
    const { operation } = operations.find((operation) => operation.call === call) as {
      operation: Schema
    }
    const parameters = operation.parameters.map((parameter: Schema) => whole(document, parameter))
    return parameters.find((parameter: Schema) => parameter.name === name)?.schema.default
  }
  expect(defaultOf('GET /v1/arena/leaderboard', 'limit')).toBe(50)
  expect(defaultOf('GET /v1/arena/agents', 'limit')).toBe(20)
  expect(defaultOf('GET /v1/arena/matches', 'status')).toBe('IN_PROGRESS')
  const limits = operations.filter(({ call }) => defaultOf(call, 'limit') !== undefined)
  expect(
    limits.filter(({ call }) => defaultOf(call, 'limit') !== 20).map(({ call }) => call),
  ).toEqual(['GET /v1/arena/leaderboard'])
})
