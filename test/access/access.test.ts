/**
 * Who may do what: every root field and every route is tried with every credential against a running
 * server. `npm run access` writes the results to docs/access.md; a change of access fails this test.
 */
import { type GraphQLError, parse, print } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import type { Access } from '../../src/kit/access/context.ts'
import { itemTemplateOf } from '../../src/rest/each.ts'
import { takeTemplate } from '../../src/rest/input-template.ts'
import { schema } from '../../src/schema.ts'
import { nodeTypes } from '../graphql/derived-rows.ts'
import { createWorld, type World } from '../world.ts'
import { type Call, callsOf } from './calls.ts'
import { makeThings } from './things.ts'
import { type Headers, isNothing, type Outcome, refusalOf, tryCall } from './tries.ts'

/** Credentials of the partner whose things they are, in the order of the table. */
const roles = ['OWNER', 'ADMIN', 'EDITOR', 'ANALYST', 'DEVELOPER'] as const
const own = ['no key', 'public', 'secret', ...roles, 'operator'] as const
/** Credentials of another partner. */
const others = ["other's public", "other's secret", "other's OWNER"] as const
const columns = [...own, ...others]

type Column = (typeof columns)[number]
type Row = { call: Call; outcomes: Record<Column, Outcome> }

let world: World
let rows: Row[]
let headersOf: (column: Column, call?: Call) => Promise<Headers>
let things: Awaited<ReturnType<typeof makeThings>>

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'x-environment': 'LIVE' })

/** Calls that change nothing can be tried at the same time. */
const atOnce: Record<Call['kind'], number> = { query: 6, mutation: 1, subscription: 6 }

/** Tries all calls. Other partners go first, while all objects still exist. */
const sweep = async (calls: Call[]) => {
  const tried = calls.map((call) => ({ call, outcomes: {} as Row['outcomes'] }))
  const byKind = [...Map.groupBy(tried, ({ call }) => call.kind)]
  for (const group of [others, own])
    for (const [kind, rest] of byKind)
      for (let i = 0; i < rest.length; i += atOnce[kind])
        await Promise.all(
          rest.slice(i, i + atOnce[kind]).flatMap(({ call, outcomes }) =>
            group.map(async (column: Column) => {
              outcomes[column] = await tryCall(world, call, await headersOf(column, call))
            }),
          ),
        )
  return tried
}

beforeAll(async () => {
  world = await createWorld()
  const { partner } = world
  const other = await world.createPartner()
  const signIn = (column: Column) => {
    if (column === 'operator') return world.signInAs('OPERATOR')
    if (column === "other's OWNER") return world.signInAs('OWNER', other.partnerId)
    return world.signInAs(column as MemberRole)
  }
  const tokens: Partial<Record<Column, string>> = {}
  for (const column of [...roles, 'operator', "other's OWNER"] as const)
    tokens[column] = await signIn(column)
  things = await makeThings(world, tokens.OWNER as string)
  const keys: Partial<Record<Column, Headers>> = {
    'no key': {},
    public: { 'x-api-key': partner.live.public },
    secret: { 'x-api-secret': partner.live.secret },
    "other's public": { 'x-api-key': other.live.public },
    "other's secret": { 'x-api-secret': other.live.secret },
  }
  headersOf = async (column, call) => {
    // A sign-out invalidates its token.
    const isLast = call?.field === 'signOut'
    return keys[column] ?? bearer(isLast ? await signIn(column) : (tokens[column] as string))
  }
  rows = await sweep(callsOf(things.values, things.ids))
}, 600_000)
afterAll(() => world.end())

/** Whether the answer shows data of the partner that the call did not name. */
const showsOurs = ({ call }: Row, { text }: Outcome) => {
  const sent = JSON.stringify(call)
  return things.marks.some((mark) => text.includes(mark) && !sent.includes(mark))
}

/** Whether anybody may call it. Anybody may query `node`; its type decides who sees the result. */
const isForAll = ({ call, outcomes }: Row) =>
  call.field !== 'node' && refusalOf(outcomes['no key']) === undefined

const cellOf = (row: Row, column: Column): string => {
  const outcome = row.outcomes[column]
  const refusal = refusalOf(outcome)
  if (refusal) return String(refusal)
  const isOwn = own.some((item) => item === column)
  // A node that this caller may not see is null, not an error.
  if (isNothing(outcome) && (row.call.field === 'node' || !isOwn) && !isForAll(row))
    return 'not found'
  if (isForAll(row) || isOwn) return 'yes'
  return showsOurs(row, outcome) ? 'ours' : 'own'
}

const table = (kind: Call['kind']) => {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = rows
    .filter(({ call }) => call.kind === kind)
    .map((row) => {
      const { face, title } = row.call
      const right = bySessionToken.has(title) ? 'session token' : (row.call.needed[1] ?? '')
      const first = face === 'REST' ? [`↳ ${title}`, ''] : [`**${title}**`, right]
      return line([...first, ...columns.map((column) => cellOf(row, column))])
    })
  const heads = ['', 'right', ...columns]
  return [line(heads), line(heads.map(() => '---')), ...lines].join('\n')
}

/** Fields that take the token of a player of a session, as the header or an argument, and need no key with it. */
const bySessionToken = new Set(['sendArenaSessionMoves', 'reportArenaResult', 'arenaSessionMoves'])

/** Calls whose outcomes do not show who may make them, so that the table would be wrong. */
const faults = () => {
  const titles = (isFaulty: (row: Row) => boolean) =>
    rows.filter(isFaulty).map(({ call }) => call.title)
  const codesOf = ({ outcomes }: Row) => columns.map((column) => outcomes[column].code ?? '')
  return {
    invalid: titles(
      (row) =>
        !isForAll(row) &&
        codesOf(row).some((code) => /VALIDATION|INVALID_PARAMETERS|^UNKNOWN$/.test(code)),
    ),
    withoutObject: titles(
      ({ call, outcomes }) =>
        call.kind === 'query' &&
        own.every((column) => refusalOf(outcomes[column]) || isNothing(outcomes[column])),
    ),
    failed: titles((row) => codesOf(row).includes('INTERNAL')),
  }
}

// These calls send a wrong password.
const refusedInputs = ['changePassword', 'POST /dashboard/auth/password', 'startTotp']

test('every call is valid, reaches its objects, and gets no internal error', () => {
  expect(faults(), '`values` in test/access/things.ts has no valid value of an argument').toEqual({
    invalid: refusedInputs,
    withoutObject: [],
    failed: [],
  })
})

test('docs/access.md shows who may do what', async () => {
  // Otherwise `npm run access` would write a table of calls that were never tried.
  expect(faults()).toEqual({ invalid: refusedInputs, withoutObject: [], failed: [] })
  const document = `# Who may do what

\`npm run access\` writes this file. It tries every call against a running server. The REST routes of each root
field of the schema are listed below it. A route reads only the header that it documents; a field also accepts
a stronger credential. The right that a field requires belongs to roles and keys by the table in
[\`src/kit/access/rights.ts\`](../src/kit/access/rights.ts). An operator is an OWNER here, too.

A third credential is the session token of a player of the arena (\`X-Session-Token\`, or \`token\` in the input): instead of a right,
the table names it for the fields that it opens. It needs no key, so it has no column. A call that lacks a valid one is 403
\`INVALID_SESSION_TOKEN\`, unless the session is public or, for a result, open to everybody.

The text of a key says what it is and where it belongs: \`pk_live_…\` is public and \`sk_test_…\` secret, for LIVE or TEST. In a cell
with a name it says that, too: \`sk_live_c2_…\` ([cells](operations.md#cells)). Refresh tokens (\`rt_c2_…\`), the cookie of the
console (\`cs_c2_…\`), and access tokens and user tokens (in the claim \`cell\`) name it as well. Another cell answers them with
401 \`WRONG_CELL\`, and \`cell\` is the name of theirs.

Each call uses objects of one partner. The first columns are credentials of that partner, the last are those of
another partner. For the latter, \`not found\` means that the object does not exist for it, \`own\` that the call
reaches only the caller's own objects, and \`ours\` that it shows public objects of the first partner.

## Queries

${table('query')}

## Mutations

${table('mutation')}

## Subscriptions

${table('subscription')}
`
  await expect(document).toMatchFileSnapshot('../../docs/access.md')
})

test('every type with a global id has an id in things.ts', () => {
  const missing = nodeTypes.filter((type) => !things.ids[type])
  expect(missing, '`ids` in test/access/things.ts').toEqual([])
})

type Values = Record<string, unknown>

/** Credentials that are weaker than a route requires. */
const lesser: Record<Access, Column[]> = {
  anyone: [],
  public: ['no key'],
  secret: ['no key', 'public'],
  member: ['no key', 'public', 'secret'],
  operator: ['no key', 'public', 'secret', 'OWNER'],
}

test('GraphQL refuses an operation to callers whom all of its routes refuse', async () => {
  const routeCalls = rows.flatMap(({ call }) => (call.face === 'REST' ? [call] : []))
  const operations = Map.groupBy(routeCalls, ({ route }) => print(route.operation))
  const open: string[] = []
  for (const [query, calls] of operations)
    for (const column of columns) {
      const { title, variables, route } = calls[0] as (typeof calls)[0]
      const { each } = route
      if (!calls.every(({ route }) => lesser[route.key].includes(column))) continue
      const headers = await headersOf(column)
      const { document, template } = takeTemplate(schema, parse(query))
      const input = template?.fill(variables as Values) as Values | undefined
      if (each && template && input) {
        const { fill } = itemTemplateOf(each, template.type)
        input[each.field] = (input[each.field] as Values[]).map(fill)
      }
      const body = {
        query: print(document),
        variables: { ...variables, ...(template && { input }) },
      }
      const { errors = [] } = (await world.call('POST', '/graphql', { headers, body })).body
      const codes = errors.map(({ extensions }: GraphQLError) => extensions.code)
      if (!codes.some((code: string) => refusalOf({ code, isNull: false, text: '' })))
        open.push(`${column}: ${title}`)
    }
  expect(open).toEqual([
    // A public match is open to everybody; the route serves private ones, too.
    ...['no key', 'public', 'secret'].map(
      (item) => `${item}: GET /dashboard/arena-matches/{matchId}`,
    ),
    // A public key is shown the user without e-mail address and metadata.
    'public: GET /v1/users/{userId}/balance',
    // A key has no member to show.
    ...['public', 'secret'].map((item) => `${item}: GET /dashboard/auth/me`),
  ])
}, 300_000)
