/** Numbers that guides and the OpenAPI document promise are those of the code. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scalarTypes } from '../../scripts/scalar-types.ts'
import { documentLimits } from '../../src/graphql/document-limits.ts'
import { maxOperationsOfBatch } from '../../src/graphql/named-documents.ts'
import { initTimeoutMs, maxOperations } from '../../src/graphql/socket.ts'
import { maxMessages } from '../../src/graphql/socket-guards.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { errorTable } from '../../src/kit/errors.ts'
import { exposedHeaders } from '../../src/kit/http/http-parts.ts'
import { pointsOfRequest } from '../../src/kit/http/price.ts'
import { pointsOfOperation } from '../../src/kit/http/rate-limit.ts'
import { defaultItems, maxItems } from '../../src/kit/schema/list-size.ts'
import { valueLimits } from '../../src/kit/schema/variable-values.ts'
import { maxPoints } from '../../src/kit/validation.ts'
import { introduction } from '../../src/rest/introduction.ts'
import { routes } from '../../src/rest/routes.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { corsOrigins: ['https://listed.example'] } })
})
afterAll(() => world.end())

const guide = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')

const sectionOf = (title: string) => guide.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

const number = (value: number) => value.toLocaleString('en-US')

const { rateLimits, connectionLimits, signInLimit, newUserLimit } = readConfig({})

test('the limits of the guide are those of documents, lists and callers', () => {
  const rows = new Map(
    [...sectionOf('Limits').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what, most]) => [
      what,
      most,
    ]),
  )
  const { tokens, tokensOfBatch, depth, introspectionDepth, aliasesOfOneField, fragmentDepth } =
    documentLimits
  const secret = number((rateLimits?.secret ?? 0) * pointsOfRequest)
  const ofPublic = number((rateLimits?.public ?? 0) * pointsOfRequest)
  expect(Object.fromEntries(rows)).toMatchObject({
    What: 'At most',
    'Body of a request, message of a WebSocket': '100 KB',
    'Tokens of a document': `${number(tokens)}; ${number(tokensOfBatch)} in all documents of a batch that the server has not seen yet`,
    'Levels of fields': `${depth}; ${introspectionDepth} below \`__schema\` and \`__type\``,
    'Aliases of one field': `${aliasesOfOneField}`,
    'Fields, with those of each fragment wherever it is used': number(documentLimits.selections),
    'Fragments inside of each other without a field between them': `${fragmentDepth}`,
    'Characters of a name': `${documentLimits.nameLength}`,
    'Points of an operation': number(documentLimits.complexity),
    'Items of a list at a time': `${maxItems}`,
    'Ids of `nodes`': '100',
    'Operations of a batch': `${maxOperationsOfBatch}`,
    'Keys of an object, items of a list, levels of a variable': `${valueLimits.keys}, ${number(valueLimits.items)} and ${valueLimits.depth}`,
    'Points of one movement, and prize pool of a session': number(maxPoints),
    'Open WebSockets and event streams': `${connectionLimits?.address} for each address, ${number(connectionLimits?.key ?? 0)} for each secret key or member, at each node`,
    'Operations at a time on a WebSocket': `${maxOperations}`,
    'Messages on a WebSocket': `${maxMessages} a second, then it is closed`,
    '`connection_init` of a WebSocket': `within ${initTimeoutMs / 1000} seconds`,
    'New users that a public key creates': `${newUserLimit} for each key and network in 10 minutes; users who exist go on. Secret keys and members have no such limit`,
    Requests: `a secret key as many as cost ${secret} points a second, a public key ${ofPublic} for each address; by REST, ${rateLimits?.secret} and ${rateLimits?.public}`,
  })
  expect(rows.get('Sign-ins, password resets and invitations that are tried')).toMatch(
    `${signInLimit} for each address in 10 minutes`,
  )
})

test('the guide says what each caller has in a second, in points and in requests', () => {
  const { secret = 0, public: ofPublic = 0, anonymous = 0 } = rateLimits ?? {}
  const row = (who: string, requests: number) => {
    const points = requests * pointsOfRequest
    return `| ${who} | ${number(points)} | ${points / pointsOfOperation} | ${requests} |`
  }
  const text = sectionOf('Cost')
  for (const line of [
    row('secret key', secret),
    row('member', secret),
    row('public key, with or without a user token', ofPublic),
    row('nobody', anonymous),
  ])
    expect(text).toContain(line)
})

const codesIn = (text: string) => [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)

test('the guide lists every code of an Idempotency-Key, with its status', () => {
  const known = Object.entries(errorTable).filter(([code]) => /^IDEMPOTEN/.test(code))
  const text = sectionOf('Idempotency-Key')
  expect(codesIn(text).sort()).toEqual(known.map(([code]) => code).sort())
  for (const [code, { status }] of known) expect(text).toContain(`| \`${code}\` | ${status} |`)
})

test('the guide lists the headers that pages may send and read', async () => {
  const { headers } = await world.call('OPTIONS', '/graphql', {
    headers: { origin: 'https://listed.example' },
  })
  const text = sectionOf('From a page of your own')
  const listed = (start: string) =>
    [...(text.split(`| ${start} |`)[1]?.split('\n')[0] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, name]) => name,
    )
  const allowed = headers.get('access-control-allow-headers')?.split(', ')
  expect(
    [
      ...listed('Request headers that any page may send'),
      ...listed('and pages of listed origins'),
    ].sort(),
  ).toEqual(allowed?.sort())
  expect(listed('Response headers that pages may read')).toEqual(exposedHeaders.split(', '))
})

test('the guide gives Relay the scalars that it gives every generator', () => {
  const text = guide.split('```json relay.config.json\n')[1]?.split('```')[0] ?? ''
  expect(JSON.parse(text).customScalarTypes).toEqual(scalarTypes)
})

test('the guide says what an operation costs at least and at most', () => {
  const text = sectionOf('Cost')
  for (const words of [
    `an operation costs at least ${pointsOfOperation}`,
    `20 if it has no \`first\``.replace('20', String(defaultItems)),
    `One operation may cost ${number(documentLimits.complexity)} points`,
    `A mutation has a price, like a REST request: ${pointsOfRequest} points`,
  ])
    expect(text).toContain(words)
})

test('the OpenAPI document says how many requests, and how large bodies, are accepted', () => {
  const text = introduction.replaceAll('\n', ' ')
  const { secret, public: ofPublic, anonymous } = rateLimits ?? {}
  expect(text).toContain(
    `A secret key may send ${secret} requests a second, a public key ${ofPublic} for each address, a caller without a key ${anonymous}.`,
  )
  const large = routes.filter(({ bodyLimit }) => bodyLimit !== 256 * 1024)
  expect(large.map(({ path, bodyLimit }) => [path, bodyLimit])).toEqual([
    ['/v1/points/award/batch', 512 * 1024],
    ['/v1/user-journeys/track', 512 * 1024],
  ])
  expect(text).toContain('A body has at most 256 KB, lists of awards and of events 512 KB.')
})
