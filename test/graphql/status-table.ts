/** Requests, and how they are answered under the two media types. */

export type Sent = {
  method?: string
  path?: string
  body?: unknown
  headers?: Record<string, string>
}
type Row = [what: string, sent: Sent, jsonStatus: number, responseStatus: number, code?: string]

export const query = (text: string, more: object = {}): Sent => ({ body: { query: text, ...more } })
const deep = `{ ${'user(by: { externalId: "a" }) { plays(first: 1) { nodes { user { '.repeat(1)}${'plays(first: 1) { nodes { user { '.repeat(5)} externalId ${'} } } '.repeat(6)} } }`
const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')
const dear =
  '{ leaderboard(first: 100) { nodes { user { ... on User { plays(first: 100) { nodes { uuid } } } } } } }'
export const two = 'query A { games { name } } query B { games { name } }'

/** A request, its status as `application/json` and as `application/graphql-response+json`, and its code. */
export const table: Row[] = [
  ['data', query('{ games { name } }'), 200, 200],
  ['data by GET', { method: 'GET', path: '/graphql?query={__typename}' }, 200, 200],
  [
    'no field that may be read',
    query('{ rewardRules { __typename } }'),
    401,
    401,
    'MISSING_API_SECRET',
  ],
  [
    'a key that is not known',
    { ...query('{ games { name } }'), headers: { 'x-api-key': 'pk_test_x' } },
    401,
    401,
    'INVALID_API_KEY',
  ],
  ['a syntax error', query('{'), 200, 400, 'GRAPHQL_PARSE_FAILED'],
  ['20,000 open braces', query('{'.repeat(20_000)), 200, 400, 'GRAPHQL_PARSE_FAILED'],
  ['a field that is not there', query('{ nope }'), 200, 400, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a variable of another type',
    query('query ($n: Int!) { leaderboard(first: $n) { __typename } }', { variables: { n: 'x' } }),
    200,
    400,
    'INVALID_PARAMETERS',
  ],
  [
    'a variable that is missing',
    query('query ($n: Int!) { leaderboard(first: $n) { __typename } }'),
    200,
    400,
    'INVALID_PARAMETERS',
  ],
  [
    'an operation that is not there',
    query(two, { operationName: 'C' }),
    400,
    400,
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['two operations and no name', query(two), 400, 400, 'OPERATION_RESOLUTION_FAILURE'],
  ['too deep', query(deep), 200, 400, 'DOCUMENT_TOO_COMPLEX'],
  [
    'too many aliases',
    query(`{ ${many(16, (i) => `a${i}: games { name }`)} }`),
    200,
    400,
    'DOCUMENT_TOO_COMPLEX',
  ],
  ['too dear', query(dear), 200, 400, 'DOCUMENT_TOO_COMPLEX'],
  ['too many tokens', query(`{ ${'a '.repeat(2_001)} }`), 200, 400, 'GRAPHQL_PARSE_FAILED'],
  [
    'introspection by a stranger',
    query('{ __schema { queryType { name } } }'),
    200,
    403,
    'INTROSPECTION_REFUSED',
  ],
  [
    'a mutation by GET',
    { method: 'GET', path: `/graphql?query=${encodeURIComponent('mutation { __typename }')}` },
    405,
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['no document', { body: {} }, 400, 400, 'BAD_REQUEST'],
  ['a document that is no text', { body: { query: 5 } }, 400, 400, 'BAD_REQUEST'],
  [
    'variables that are no object',
    query('{ __typename }', { variables: [7] }),
    400,
    400,
    'BAD_REQUEST',
  ],
  [
    'an extension that is no object',
    query('{ __typename }', { extensions: 'x' }),
    400,
    400,
    'BAD_REQUEST',
  ],
  ['a parameter that is not there', { body: { qeury: '{ __typename }' } }, 400, 400, 'BAD_REQUEST'],
  ['a body that is no object', { body: '5' }, 400, 400, 'BAD_REQUEST'],
  ['broken JSON', { body: '{"query":' }, 400, 400, 'MALFORMED_JSON'],
  ['no body', { body: '' }, 400, 400, 'BAD_REQUEST'],
  [
    'an escape of a URL that is none',
    { method: 'GET', path: '/graphql?query=%ZZ' },
    400,
    400,
    'INVALID_PARAMETERS',
  ],
  [
    'variables of a URL that are no JSON',
    { method: 'GET', path: '/graphql?query={__typename}&variables={' },
    400,
    400,
    'BAD_REQUEST',
  ],
  [
    'an Idempotency-Key for a query',
    { ...query('{ __typename }'), headers: { 'idempotency-key': 'k' } },
    400,
    400,
    'IDEMPOTENCY_KEY_NOT_ALLOWED',
  ],
  ['more than 100 KB', query(' '.repeat(110_000)), 413, 413, 'BODY_TOO_LARGE'],
  [
    'a batch of 11',
    { body: Array.from({ length: 11 }, () => ({ query: '{ __typename }' })) },
    413,
    413,
    'BAD_REQUEST',
  ],
  [
    'a form',
    {
      body: 'query={__typename}',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    415,
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['another method', { method: 'PUT', body: {} }, 405, 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE', { method: 'DELETE' }, 405, 405, 'METHOD_NOT_ALLOWED'],
  ['another path', { method: 'GET', path: '/graphql/nope' }, 404, 404, 'ROUTE_NOT_FOUND'],
  [
    'a path that cannot be read',
    { method: 'GET', path: '/graphql/%ZZ' },
    400,
    400,
    'INVALID_PARAMETERS',
  ],
  [
    'a subscription without a stream',
    query('subscription { arenaLiveMatchesChanged { __typename } }'),
    406,
    406,
    'NOT_ACCEPTABLE',
  ],
]
