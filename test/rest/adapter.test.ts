/** Ways in which a route may differ from the schema, on a separate schema. */
import { buildSchema, type GraphQLInputObjectType, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { TesseraError } from '../../src/kit/errors.ts'
import { answerOf, readDirectives } from '../../src/rest/directives.ts'
import { inNamesOf } from '../../src/rest/input-template.ts'
import { answer, asPercent, fragment, route, variantsOf } from '../../src/rest/route.ts'
import { prepare } from '../../src/rest/run.ts'

const schema = buildSchema(`
  scalar JSON
  type Query { thing(name: String!): Thing }
  type Mutation { give(input: GiveInput!): GiveResult! }
  input GiveInput { to: ToBy!, from: ToBy, count: Int!, data: Data, kind: Kind }
  input ToBy @oneOf { id: ID, name: String }
  input Data { tags: [String!] }
  enum Kind { BIG SMALL }
  union GiveResult = GivePayload | ValidationError
  interface Error { code: String!, message: String! }
  type FieldError { path: [String!]!, code: String!, message: String! }
  type ValidationError implements Error { code: String!, message: String!, errors: [FieldError!]! }
  type LimitError implements Error { code: String!, message: String!, retryAfterSeconds: Int }
  type GivePayload { gift: Gift!, thing: Thing }
  type Gift { id: ID!, kind: Kind!, to: Thing! }
  type Thing { name: String!, note: String, kinds: [Kind!]! }
`)
const inputOf = (name: string) => schema.getType(name) as GraphQLInputObjectType
inputOf('GiveInput').extensions = {
  schema: z.object({
    to: z.object({ name: z.string({ error: 'is required' }).min(1, 'must not be empty') }),
    count: z.number({ error: 'is required' }).max(9, 'must be at most 9'),
    data: z.object({ tags: z.array(z.string({ error: 'must be a string' })) }).optional(),
  }),
}

const give = route('POST /things/{name}/gifts', {
  key: 'anyone',
  summary: 'Give',
  operation: `mutation ($name: String!, $count: Int!, $data: Data, $giver: String!) {
    result: give(input: { to: { name: $name }, from: { name: $giver }, count: $count, data: $data, kind: BIG }) {
      ... on GivePayload { gift @flatten { id kind @lowerCase to @flatten { name } } thing @flatten { note @unset(as: "") } }
      ...Problem
    }
  }`,
  notFound: 'USER_NOT_FOUND',
})

/** What the route answers; `resolve` is the mutation. */
const call = async (
  resolve: (input: unknown) => object,
  params: object,
  body: unknown,
  called = give,
): Promise<unknown> => {
  const mutation = schema.getMutationType()?.getFields().give
  if (mutation) mutation.resolve = (_: unknown, args: { input: unknown }) => resolve(args.input)
  let sent: unknown
  const reply = { code: () => reply, send: (answer: unknown) => (sent = answer) }
  const run = prepare(schema, called)
  await run({ params, query: {}, body } as never, reply as never, {} as never)
  return sent
}

const gift = { id: '1', kind: 'BIG', to: { name: 'ann', kinds: [] } }
const given = (thing: object | null) => () => ({ __typename: 'GivePayload', gift, thing })
const refusedAs = async (params: object, body: unknown) => {
  const error = await call(given(null), params, body).catch((error: unknown) => error)
  const { code, errors } = error as TesseraError
  return [code, errors?.map(({ field, message }) => `${field}: ${message}`)]
}

describe('an operation', () => {
  test('is valid in the schema, without the directives of REST', () => {
    expect(validate(schema, give.operation).map(String)).toEqual([])
  })

  test('fills its input from the body, and omits fields without a value', async () => {
    const inputs: unknown[] = []
    const resolve = (input: unknown) => {
      inputs.push(input)
      return given(null)()
    }
    await call(resolve, { name: 'ann' }, { count: 3, other: true })
    await call(resolve, { name: 'ann' }, { count: 3, giver: 'ben', data: { tags: [] } })
    const base = { to: { name: 'ann' }, count: 3, kind: 'BIG' }
    expect(inputs).toEqual([base, { ...base, from: { name: 'ben' }, data: { tags: [] } }])
  })
})

describe('an answer', () => {
  test('has the fields of a flattened object in its place, enums in lower case and unset values', async () => {
    const answer = await call(given({ note: null }), { name: 'ann' }, { count: 1 })
    expect(JSON.stringify(answer)).toBe(
      '{"status":"success","data":{"id":"1","kind":"big","name":"ann","note":""}}',
    )
  })

  test('has rates in percent, with two decimals; null stays null', () => {
    const rate = asPercent(z.number())
    const odds = fragment('Odds on Thing', 'winRate all: odds', { winRate: rate, all: rate })
    const { shape } = route('GET /things', {
      key: 'anyone',
      summary: 'Odds',
      operation: `{ thing { ${odds} } }`,
    })
    const answered = answerOf({ thing: { winRate: 8 / 201, all: null } }, shape, new Set())
    expect(answered).toEqual({ thing: { winRate: 3.98, all: null } })
  })

  test('has the fields of which its fragment says something', () => {
    const wrong = fragment('Wrong on Thing', 'winRate', { odds: asPercent(z.number()) })
    const described = route('GET /wrong', {
      key: 'anyone',
      summary: 'Wrong',
      operation: `{ thing { ${wrong} } }`,
    })
    expect(() => described.shape).toThrow('Wrong has no field odds')
  })

  test('is what the function of a route makes of the result, unless that is an error', async () => {
    const described = route('POST /things/{name}/gifts', {
      key: 'anyone',
      summary: 'Give',
      operation: `mutation ($name: String!, $count: Int!) {
        result: give(input: { to: { name: $name }, count: $count, kind: BIG }) {
          ... on GivePayload { gift @flatten { kind @lowerCase } } ...Problem } }`,
      answer: answer(z.object({ kind: z.string(), message: z.string() }), ({ kind }) => ({
        kind,
        message: `A ${kind} gift`,
      })),
    })
    const send = (resolve: () => object) => call(resolve, { name: 'ann' }, { count: 1 }, described)
    expect(await send(given(null))).toMatchObject({
      data: { kind: 'big', message: 'A big gift' },
    })
    const refuse = () => ({
      __typename: 'ValidationError',
      code: 'INVALID_CODE',
      message: 'No',
      errors: [],
    })
    await expect(send(refuse)).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  test('has the unset value in each field of a flattened object that is null', async () => {
    const answer = await call(given(null), { name: 'ann' }, { count: 1 })
    expect(answer).toMatchObject({ data: { note: '' } })
  })

  test('is changed inside of lists and fragments, too', () => {
    const { operation, shape } = readDirectives(
      parse('{ thing(name: "a") { ...T } } fragment T on Thing { kinds @lowerCase }'),
    )
    expect(validate(schema, operation).map(String)).toEqual([])
    const data = { thing: [{ kinds: ['BIG', 'SMALL'] }, null] }
    expect(answerOf(data, shape, new Set())).toEqual({
      thing: [{ kinds: ['big', 'small'] }, null],
    })
  })
})

describe('an error of the input', () => {
  test('names all fields as REST does', async () => {
    expect(await refusedAs({ name: 'ann' }, { data: { tags: [1] } })).toEqual([
      'VALIDATION_FAILED',
      ['count: count is required', 'data.tags.0: data.tags.0 must be a string'],
    ])
    expect(await refusedAs({ name: 'ann' }, [])).toEqual([
      'VALIDATION_FAILED',
      [': The body must be a JSON object'],
    ])
  })

  test('in the path alone is the not-found error of the route', async () => {
    const refuse = () => ({
      __typename: 'ValidationError',
      code: 'VALIDATION_FAILED',
      message: 'Invalid request body',
      errors: [{ path: ['to', 'name'], code: 'TOO_SMALL', message: 'to.name must not be empty' }],
    })
    await expect(call(refuse, { name: '' }, { count: 1 })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    })
  })

  test('keeps its headline', () => {
    const places = new Map([['size', 'batch.size']])
    const message = 'batch.size must be small'
    const fault = { field: 'batch.size', code: 'too_big', message } as const
    const error = new TesseraError('VALIDATION_FAILED', { message: fault.message, errors: [fault] })
    const told = inNamesOf(places, error)
    expect([told.message, told.errors?.[0]?.field]).toEqual(['size must be small', 'size'])
  })
})

describe('a route for several operations', () => {
  const text = (name: string) => `mutation ($name: String!, $count: Int!) {
    result: give(input: { to: { name: $name }, count: $count, kind: ${name} }) {
      ... on GivePayload { gift { id } } ...Problem } }`
  const chosen = route('PATCH /things/{name}', {
    key: 'anyone',
    summary: 'Give much or little',
    operation: {
      by: z.object({ big: z.boolean({ error: 'must be true or false' }) }),
      true: text('BIG'),
      false: text('SMALL'),
    },
  })
  const send = async (body: unknown) => {
    let kind: unknown
    const mutation = schema.getMutationType()?.getFields().give
    if (mutation)
      mutation.resolve = (_: unknown, { input }: { input: { kind: string } }) => {
        kind = input.kind
        return given(null)()
      }
    const reply = { code: () => reply, send: () => reply }
    const request = { params: { name: 'ann' }, query: {}, body }
    await prepare(schema, chosen)(request as never, reply as never, {} as never)
    return kind
  }

  test('runs the one that a field of the body selects', async () => {
    expect(await send({ big: true, count: 1 })).toBe('BIG')
    expect(await send({ big: false, count: 1 })).toBe('SMALL')
  })

  test('refuses a body that selects none', async () => {
    for (const body of [undefined, null, [], {}, { big: 'true' }, { big: null }])
      await expect(send(body)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('has only operations that are valid in the schema', () => {
    for (const { operation } of variantsOf(chosen))
      expect(validate(schema, operation).map(String)).toEqual([])
  })

  test('runs the one that a parameter of the query string selects', async () => {
    const things = route('GET /things', {
      key: 'anyone',
      summary: 'Show a thing, or another',
      operation: {
        parameter: 'name',
        given: 'query ($name: String!) { result: thing(name: $name) { name } }',
        absent: '{ result: thing(name: "all") { name } }',
      },
      notFound: 'USER_NOT_FOUND',
    })
    const read = async (query: object) => {
      const thing = schema.getQueryType()?.getFields().thing
      if (thing)
        thing.resolve = (_: unknown, { name }: { name: string }) => {
          if (name === 'none') return null
          if (name !== 'bad') return { name }
          const errors = [
            { field: 'name', code: 'too_big', message: 'name must be short' } as const,
          ]
          throw new TesseraError('INVALID_PARAMETERS', { errors })
        }
      let sent: unknown
      const reply = {
        code: () => reply,
        header: () => reply,
        type: () => reply,
        send: (answer: string) => (sent = JSON.parse(answer)),
      }
      const request = { params: {}, query, headers: {} }
      await prepare(schema, things)(request as never, reply as never, {} as never)
      return (sent as { data: object }).data
    }
    expect(await read({ name: 'ann' })).toEqual({ name: 'ann' })
    expect(await read({})).toEqual({ name: 'all' })
    for (const name of ['none', 'bad'])
      await expect(read({ name })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})
