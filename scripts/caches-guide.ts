/** `docs/caches.md`: how clients with a normalized cache are set up, with the types of the schema that have no id. */
import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql'

/** One for each caller, whatever asks for it. */
const single = ['Platform', 'Arena', 'Viewer']

/** Types that every schema of this form has: the guide names them by their ending. */
const isOfForm = ({ name }: GraphQLObjectType): boolean =>
  /(Connection|Edge|Payload|Error)$/.test(name) || name === 'PageInfo'

export type WithoutId = { single: string[]; parts: string[]; values: string[] }

/** The types without an id, by how a cache has to treat them. */
export const typesWithoutId = (schema: GraphQLSchema): WithoutId => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const objects = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !isIntrospectionType(type) && !roots.includes(type),
  ) as GraphQLObjectType[]
  const hasId = (type: GraphQLObjectType) => 'id' in type.getFields()
  const without = objects.filter((type) => !hasId(type) && !isOfForm(type)).map(({ name }) => name)
  const partsOf = (types: GraphQLObjectType[]): string[] =>
    types
      .flatMap((type) => Object.values(type.getFields()))
      .filter(({ type }) => !isListType(getNullableType(type)))
      .map(({ type }) => getNamedType(type).name)
      .filter((name) => without.includes(name))
  const inObjects = new Set(partsOf(objects.filter(hasId)))
  // A part may have parts itself. Those that are found are visited, too.
  for (const name of inObjects)
    for (const inner of partsOf([schema.getType(name) as GraphQLObjectType])) inObjects.add(inner)
  const others = without.filter((name) => !single.includes(name)).sort()
  return {
    single,
    parts: others.filter((name) => inObjects.has(name)),
    values: others.filter((name) => !inObjects.has(name)),
  }
}

const wrapped = (names: string[], indent: string): string => {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last === undefined || last.length + name.length > 100) lines.push(`${indent}${name}`)
    else lines[lines.length - 1] = `${last} ${name}`
  }
  return lines.join('\n')
}

const listed = (names: string[]) => names.map((name) => `\`${name}\``).join(', ')

export const cachesText = (schema: GraphQLSchema): string => {
  const { parts, values } = typesWithoutId(schema)
  return `# Caches

A client with a normalized cache keeps one copy of each object, so that a balance that a mutation answers is shown everywhere at once.
The key of an object is its \`id\`: it is unique among all types and never changes. A type that has an \`id\` implements \`Node\`, and
\`node(id)\` loads it again. Select \`id\` of each object that you show.

**One cache for each credential and environment.** Root fields such as \`users\` and \`viewer\` have the same keys in a cache whoever asks for
them. Make a new client, or clear its cache, when another member signs in or signs out, when the user of the token changes, and when
\`X-Environment\` or the key changes: \`client.clearStore()\` of Apollo, a new \`Client\` of urql, a new \`Environment\` of Relay.

**One entry for each object.** \`ArenaGame\` and \`ArenaGameView\` are the same game to its owner and to everyone else, with the same \`id\`
([what the public sees](graphql.md#what-the-public-sees)). Relay's key is the \`id\` alone. Apollo and urql put the type in front of it unless
you tell them otherwise, as below, and would keep such an object twice after a caller has become its owner.

The package [\`@tessera/client\`](../packages/client/README.md) has what caches and code generators need as files: \`possibleTypes.json\`,
\`introspection.json\` (types and fields alone, 18 KB compressed), \`scalars.json\` and \`schema.graphql\`.

Types without an \`id\` are part of the object that has them. A cache keeps them there; [below](#types-without-an-id) is the list. This page is
made from the schema, and a test runs its code.

## Apollo Client

Apollo's key of an object is its type and its \`id\`; \`dataIdFromObject\` makes it the \`id\` alone. The types without one need a
policy, or a query that selects other fields of such a part replaces what an earlier query has read:

\`\`\`js apollo.js
// One for each caller, whatever asks for it.
const single = { keyFields: [] }

// Part of the object around it: the fields of several queries are put together.
const part = { merge: true }

const parts = \`
${wrapped(parts, '  ')}
\`

// Unique among all types. What has no id has no key.
export const dataIdFromObject = ({ id }) => id

export const typePolicies = {
  ...Object.fromEntries(parts.trim().split(/\\s+/).map((name) => [name, part])),
${single.map((name) => `  ${name}: single,`).join('\n')}
}
\`\`\`

\`\`\`js
import { InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import possibleTypes from '@tessera/client/possibleTypes.json' with { type: 'json' }

const lists = relayStylePagination(['filter', 'orderBy'])
const cache = new InMemoryCache({
  possibleTypes,
  dataIdFromObject,
  typePolicies: {
    ...typePolicies,
    // A list that your pages extend by \`fetchMore\`.
    User: { fields: { ledgerEntries: lists, plays: lists } },
    Query: { fields: { users: lists } },
  },
})
\`\`\`

\`possibleTypes\` are for fragments on interfaces and unions. Without the package, the plugin \`fragment-matcher\` of GraphQL Code
Generator writes them.

## urql

Graphcache puts the type in front of the \`id\`, too, unless \`globalIDs\` is set, and warns of each type without a key. Tell it which
have none, by the schema:

\`\`\`js urql.js
/** @param schema an introspection result, such as introspection.json of the package */
export const keysOf = (schema) =>
  Object.fromEntries(
    schema.__schema.types
      .filter(({ kind, fields }) => kind === 'OBJECT' && fields.every(({ name }) => name !== 'id'))
      .map(({ name }) => [name, () => null]),
  )
\`\`\`

\`\`\`js
import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import schema from '@tessera/client/introspection.json' with { type: 'json' }

const cache = cacheExchange({
  schema,
  globalIDs: true,
  keys: keysOf(schema),
  resolvers: { User: { ledgerEntries: relayPagination() } },
})
\`\`\`

Without the package, make the introspection from the schema that every server serves, without a key and in production, too, with the
package \`graphql\` (\`npm install graphql\`):

\`\`\`sh
curl -O http://localhost:4000/schema.graphql
node -e "const { buildSchema, introspectionFromSchema: read } = require('graphql'), fs = require('node:fs');
fs.writeFileSync('introspection.json', JSON.stringify(read(buildSchema(fs.readFileSync('schema.graphql', 'utf8')), { oneOf: true })))"
\`\`\`

## Relay

Relay needs no setting: it uses \`id\`, keeps types without one in the object around them, and pages through each connection with
\`@connection\`. [\`relay.config.json\`](graphql.md#generated-types) names the schema and the scalars.

## Types without an id

- One for each caller: ${listed(single)}.
- Parts of one object: ${listed(parts)}.
- Items of lists, events, and results that belong to one request: ${listed(values)}.
- All types whose names end in \`Connection\`, \`Edge\`, \`Payload\` or \`Error\`, and \`PageInfo\`.
`
}
