/** JSON and documents that are designed to be expensive to refuse, each of about a given number of bytes. */
import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql'
import { times } from './hostile-server.ts'

/** Repeats a text until it has about this many bytes. */
const fill = (bytes: number, text: (i: number) => string, separator = ','): string => {
  const parts: string[] = []
  for (let size = 0, i = 0; size < bytes; i++) {
    const part = text(i)
    parts.push(part)
    size += Buffer.byteLength(part) + separator.length
  }
  return parts.join(separator)
}

const listOf = (item: (i: number) => string) => (bytes: number) => `[${fill(bytes, item)}]`
const objectOf = (entry: (i: number) => string) => (bytes: number) => `{${fill(bytes, entry)}}`
const stringOf = (part: string) => (bytes: number) => `"${fill(bytes, () => part, '')}"`
const nested = (open: string, close: string) => (bytes: number) => {
  const depth = Math.floor(bytes / (open.length + close.length))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}
const keys = (count: number, value: string) =>
  `{${times(count, (i) => `"k${i}":${value}`).join(',')}}`

/** JSON text by name. */
export const shapes: Record<string, (bytes: number) => string> = {
  'many keys': objectOf((i) => `"k${i}":1`),
  'keys that are nearly right': objectOf((i) => `"userIdd${i}":1`),
  'long keys': objectOf((i) => `"${'k'.repeat(250)}${i}":1`),
  'a key again and again': objectOf(() => '"a":1'),
  'numbers as keys': objectOf((i) => `"${i}":1`),
  'keys of prototypes': objectOf((i) => `"__proto__":{"constructor":{"prototype":${i}}}`),
  'lists in lists': nested('[', ']'),
  'objects in objects': nested('{"a":', '}'),
  'lists and objects in turn': nested('[{"a":', '}]'),
  'empty objects': listOf(() => '{}'),
  'objects of one key': listOf(() => '{"a":1}'),
  'objects of ninety keys': listOf(() => keys(90, '1')),
  'objects of lists': listOf(() => '{"a":[1,2,3]}'),
  'empty lists': listOf(() => '[]'),
  nulls: listOf(() => 'null'),
  numbers: listOf(() => '1'),
  'negative numbers': listOf(() => '-1e300'),
  'short strings': listOf(() => '"a"'),
  'different strings': listOf((i) => `"a${i}"`),
  'strings of 300 characters': listOf(() => `"${'x'.repeat(300)}"`),
  'a grid of keys': objectOf((i) => `"k${i}":${keys(100, '1')}`),
  'a long string': stringOf('x'),
  'a long string of blanks': stringOf(' '),
  'a long string of two-byte characters': stringOf('é'),
  'a long string of emoji': stringOf('😀'),
  'a string of escapes': stringOf('\\u0041'),
  'a string of lone surrogates': stringOf('\\ud800'),
  'a string of NUL characters': stringOf('\\u0000'),
  'a string like an address': (bytes) => `"${'a.'.repeat(bytes / 4)}@${'b-.'.repeat(bytes / 6)}"`,
  'a string like a URL': (bytes) => `"https://a/${'%41/../'.repeat(bytes / 7)}"`,
  'a huge number': (bytes) => '9'.repeat(bytes),
  'a long fraction': (bytes) => `0.${'3'.repeat(bytes)}`,
}

/** Chooses by a list of numbers, so that a seed decides. */
export const chooser = (choices: readonly number[]) => {
  let at = 0
  return <T>(options: readonly T[]): T =>
    options[(choices[at++ % choices.length] ?? 0) % options.length] as T
}
type Choose = ReturnType<typeof chooser>

const leaves: Record<string, unknown> = {
  Int: 1,
  SafeInt: 1,
  Float: 0.5,
  Boolean: true,
  JSON: {},
  DateTime: '2026-01-31T12:00:00.000Z',
  TimeZone: 'Europe/Paris',
  UUID: '00000000-0000-7000-8000-000000000000',
  ID: '00000000-0000-7000-8000-000000000000',
}

/** A valid value of a type, without optional fields. */
export const validValue = (type: GraphQLInputType): unknown => {
  const inner = getNullableType(type)
  if (isListType(inner)) return [validValue(inner.ofType)]
  if (isEnumType(inner)) return inner.getValues()[0]?.name
  if (!isInputObjectType(inner)) return leaves[inner.name] ?? 'ann'
  const fields = Object.values(inner.getFields())
  const given = inner.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField)
  return Object.fromEntries(given.map(({ name, type }) => [name, validValue(type)]))
}

/** JSON of a value of a type that is valid, but for one place in it, which has the junk. */
export const plant = (type: GraphQLInputType, junk: string, choose: Choose): string => {
  const inner = getNullableType(type)
  if (isListType(inner))
    return choose([true, false]) ? junk : `[${plant(inner.ofType, junk, choose)}]`
  if (!isInputObjectType(inner) || choose([true, false, false])) return junk
  const field = choose(Object.values(inner.getFields()))
  const others = inner.isOneOf ? {} : (validValue(inner) as Record<string, unknown>)
  const entries = Object.entries(others)
    .filter(([name]) => name !== field.name)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`)
  return `{${[...entries, `"${field.name}":${plant(field.type, junk, choose)}`].join(',')}}`
}

const repeat = (count: number, text: (i: number) => string) => times(count, text).join(' ')
const award = (input: string) => `awardPoints(input: ${input}) { __typename }`

/** Documents by name. `n` makes them different, so that no cache knows them. */
export const documents: Record<string, (n: number) => string> = {
  'unknown keys of an input': (n) =>
    `mutation Q${n} { ${award(`{ ${repeat(640, (i) => `k${i}: 1`)} }`)} }`,
  'keys of an input that are nearly right': (n) =>
    `mutation Q${n} { ${award(`{ ${repeat(640, (i) => `eventTypee${i}: 1`)} }`)} }`,
  'a key of an input again and again': (n) =>
    `mutation Q${n} { ${award(`{ ${repeat(640, () => 'eventType: "a"')} }`)} }`,
  'empty objects in a list': (n) =>
    `mutation Q${n} { trackActivities(input: { activities: [${repeat(950, () => '{}')}] }) { __typename } }`,
  'ids that are objects': (n) => `query Q${n} { nodes(ids: [${repeat(950, () => '{}')}]) { id } }`,
  'many ids': (n) => `query Q${n} { nodes(ids: [${repeat(1_900, () => '"a"')}]) { id } }`,
  'objects in objects': (n) =>
    `mutation Q${n} { ${award(`${'{ user: '.repeat(480)}1${' }'.repeat(480)}`)} }`,
  'lists in lists': (n) =>
    `mutation Q${n} { ${award(`{ metadata: ${'['.repeat(950)}${']'.repeat(950)} }`)} }`,
  'unknown arguments': (n) => `query Q${n} { games(${repeat(630, (i) => `a${i}: 1`)}) { name } }`,
  'arguments that are nearly right': (n) =>
    `query Q${n} { node(${repeat(630, (i) => `idd${i}: 1`)}) { id } }`,
  'an argument again and again': (n) =>
    `query Q${n} { node(${repeat(630, () => 'id: "a"')}) { id } }`,
  'unknown fields': (n) => `query Q${n} { ${repeat(1_900, (i) => `f${i}`)} }`,
  'fields that are nearly right': (n) =>
    `query Q${n} { ${repeat(1_900, (i) => `gamesleaderboardsss${i}`)} }`,
  'aliases of one field': (n) => `query Q${n} { ${repeat(300, (i) => `a${i}: games { name }`)} }`,
  'one field again and again': (n) => `query Q${n} { ${repeat(440, () => 'games { name }')} }`,
  'one alias of different fields': (n) =>
    `query Q${n} { ${repeat(300, (i) => `a: games { b: ${i % 2 ? 'name' : 'id'} }`)} }`,
  'unknown directives': (n) => `query Q${n} { games ${repeat(900, (i) => `@d${i}`)} { name } }`,
  'directives again and again': (n) =>
    `query Q${n} { games ${repeat(320, () => '@include(if: true)')} { name } }`,
  'misplaced directives': (n) =>
    `query Q${n} ${repeat(320, () => '@deprecated(reason: "a")')} { games { name } }`,
  'fragments in a chain': (n) =>
    `query Q${n} { ...F0 } ${repeat(150, (i) => `fragment F${i} on Query { games { name } ...F${i + 1} }`)} fragment F150 on Query { games { name } }`,
  'fragments in a circle': (n) =>
    `query Q${n} { ...F0 } ${repeat(190, (i) => `fragment F${i} on Query { ...F${(i + 1) % 190} }`)}`,
  'fragments of all others': (n) =>
    `query Q${n} { ...F0 } ${repeat(28, (i) => `fragment F${i} on Query { ${repeat(28, (j) => `...F${j}`)} }`)}`,
  'fragments that double': (n) =>
    `query Q${n} { ...F0 } ${repeat(140, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F140 on Query { games { name } }`,
  'unused fragments': (n) =>
    `query Q${n} { games { name } } ${repeat(240, (i) => `fragment F${i} on Query { games { name } }`)}`,
  'unknown fragments': (n) => `query Q${n} { ${repeat(950, (i) => `...F${i}`)} }`,
  'fragments of one name': (n) =>
    `query Q${n} { ...F } ${repeat(240, () => 'fragment F on Query { games { name } }')}`,
  'types that are nearly right': (n) =>
    `query Q${n} { ${repeat(280, (i) => `... on ArenaGameConnectionEdgee${i} { x }`)} }`,
  'types that never match': (n) =>
    `query Q${n} { ${repeat(280, () => '... on Mutation { __typename }')} }`,
  'unused variables': (n) =>
    `query Q${n} (${repeat(600, (i) => `$v${i}: Int`)}) { games { name } }`,
  'variables of one name': (n) =>
    `query Q${n} (${repeat(450, () => '$v: Int')}) { node(id: $v) { id } }`,
  'variables of unknown types': (n) =>
    `query Q${n} (${repeat(450, (i) => `$v${i}: AwardPointsInputt${i}`)}) { games { name } }`,
  'undefined variables': (n) =>
    `query Q${n} { ${repeat(270, (i) => `a${i}: node(id: $v${i}) { id }`)} }`,
  'undefined variables in each operation': (n) =>
    `${repeat(60, (i) => `query Q${n}_${i} { ...F }`)} fragment F on Query { ${repeat(120, (i) => `a${i}: node(id: $v${i}) { id }`)} }`,
  'many operations': (n) => repeat(320, (i) => `query Q${n}_${i} { games { name } }`),
  'operations of one name': (n) => repeat(320, () => `query Q${n} { games { name } }`),
  'deep fields': (n) => `query Q${n} ${'{ games '.repeat(640)}${'}'.repeat(640)}`,
  'deep inline fragments': (n) =>
    `query Q${n} { ${'... { '.repeat(600)}games { name }${'}'.repeat(600)} }`,
  'many root fields of a subscription': (n) =>
    `subscription Q${n} { ${repeat(600, (i) => `a${i}: arenaLiveMatchesChanged { __typename }`)} }`,
  'definitions of types': (n) => repeat(320, (i) => `type T${n}_${i} { a: Int }`),
  'a name of 90 KB': (n) => `query Q${n} { ${'x'.repeat(90_000)} }`,
  'a comment of 90 KB': (n) => `# ${n}${'x'.repeat(90_000)}`,
  'a string of 90 KB': (n) => `query Q${n} { games(a: "${'x'.repeat(90_000)}") { name } }`,
  'a block string of 50 KB': (n) =>
    `query Q${n} { games(a: """${'x\n'.repeat(25_000)}""") { name } }`,
  'a number of 90 KB': (n) => `query Q${n} { leaderboard(first: ${'9'.repeat(90_000)}) { id } }`,
  'ninety thousand commas': (n) => `query Q${n} { games { name } ${','.repeat(90_000)} nothing }`,
  'too many tokens': (n) => `query Q${n} { ${'a '.repeat(45_000)} }`,
  introspection: (n) =>
    `query Q${n} { __schema { types { fields { args { type { ofType { name } } } } } } }`,
  'introspection under aliases': (n) =>
    `query Q${n} { ${repeat(40, (i) => `a${i}: __type(name: "Query") { fields { args { name } } }`)} }`,
}
