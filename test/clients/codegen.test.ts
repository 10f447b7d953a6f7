/** Code generators of clients know the whole schema, with the scalars that docs/graphql.md documents for partners. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputIntrospectionFile } from '@gql.tada/internal'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import {
  type GraphQLInterfaceType,
  introspectionFromSchema,
  isScalarType,
  isSpecifiedScalarType,
  parse,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scalarTypes as scalars } from '../../scripts/scalar-types.ts'
import { schema } from '../../src/schema.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = join(import.meta.dirname, 'node_modules')
const sdl = readFileSync(join(root, 'schema.graphql'), 'utf8')

const nodeTypes = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .map(({ name }) => name)

const query = `query Balance($externalId: String!) {
  user(by: { externalId: $externalId }) { id uuid balance createdAt metadata }
}`

/** Compiles if each field of the answer has the type that the mapping says, and an unknown one none. */
const use = `
export const shown = (answer: Answer): [string, string, number, string, unknown] | undefined => {
  const user = answer.user
  // @ts-expect-error not selected
  user?.email
  // @ts-expect-error no number: an unmapped scalar would be any
  const wrong: number | undefined = user?.createdAt
  // @ts-expect-error unknown until it is checked
  const alsoWrong: string | undefined = user?.metadata
  return user ? [user.id, user.uuid, user.balance, user.createdAt, user.metadata] : undefined
}`

/** Beside the packages of this folder, so that they resolve. */
let folder: string
beforeAll(() => {
  const cache = join(packages, '.cache/tessera')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'codegen-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string, text: string) => {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Runs a program; returns its output, also when it fails. */
const run = (program: string, args: string[], cwd = root): string => {
  try {
    return String(execFileSync(process.execPath, [program, ...args], { cwd }))
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer }
    return `${stdout}${stderr}`
  }
}

const compile = (name: string): string => {
  const compilerOptions = {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  }
  put(`${name}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  return run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', join(folder, name)])
}

test('the mapping names every scalar of the schema, and no other', () => {
  const own = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name)
  expect(Object.keys(scalars).sort()).toEqual(own.sort())
})

test("graphql-codegen's client preset compiles typed operations", async () => {
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: 'codegen/',
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
    schema: parse(sdl),
    schemaAst: schema,
    documents: [{ document: parse(query), location: 'balance.graphql', rawSDL: query }],
    config: { strictScalars: true, scalars, useTypeImports: true },
    profiler: { run: (make: () => unknown) => make(), collect: () => [] },
  } as never)
  for (const output of outputs) put(output.filename, await codegen(output))
  put('codegen/use.ts', `import type { BalanceQuery as Answer } from './graphql'${use}`)
  expect(compile('codegen')).toBe('')
}, 120_000)

test('gql.tada compiles typed operations', () => {
  const introspection = introspectionFromSchema(schema, { oneOf: true })
  put('tada/introspection.d.ts', outputIntrospectionFile(introspection, { fileType: '.d.ts' }))
  const types = Object.entries(scalars).map(([name, type]) => `${name}: ${type}`)
  put(
    'tada/use.ts',
    `import { initGraphQLTada, type ResultOf } from 'gql.tada'
import type { introspection } from './introspection'
const graphql = initGraphQLTada<{ introspection: introspection; scalars: { ${types.join('; ')} } }>()
const query = graphql(\`${query}\`)
type Answer = ResultOf<typeof query>${use}`,
  )
  expect(compile('tada')).toBe('')
}, 120_000)

/** A fragment for each type with a global id, a list both ways, and writes that change it. */
const relayDocuments = `
${nodeTypes
  .map(
    (type) => `graphql\`fragment uses_${type} on ${type}
    @refetchable(queryName: "uses${type}Query") { uuid }\``,
  )
  .join('\n')}
graphql\`query usesForwardQuery($after: String) {
  rewardRules(first: 10, after: $after) @connection(key: "uses_rewardRules") {
    edges { node { eventType points } } } }\`
graphql\`query usesBackwardQuery($before: String) {
  rewardRules(last: 10, before: $before) @connection(key: "usesBackward_rewardRules") {
    edges { node { eventType points } } } }\`
graphql\`mutation usesCreateMutation($input: SetRewardRuleInput!, $connections: [ID!]!) {
  setRewardRule(input: $input) { ... on SetRewardRulePayload {
    rewardRule @appendNode(connections: $connections, edgeTypeName: "RewardRuleEdge") {
      eventType points createdAt } } } }\`
graphql\`mutation usesDeleteMutation($input: DeleteRewardRuleInput!, $connections: [ID!]!) {
  deleteRewardRule(input: $input) { ... on DeleteRewardRulePayload {
    deletedId @deleteEdge(connections: $connections) } } }\`
`

test('relay-compiler accepts connections, their updates, and refetching every type', () => {
  put('relay/schema.graphql', sdl)
  put('relay/src/uses.ts', `import { graphql } from 'react-relay'${relayDocuments}`)
  mkdirSync(join(folder, 'relay/made'))
  const config = {
    src: './src',
    schema: './schema.graphql',
    artifactDirectory: './made',
    excludes: ['**/made/**'],
    language: 'typescript',
    customScalarTypes: scalars,
    requireCustomScalarTypes: true,
  }
  put('relay/relay.config.json', JSON.stringify(config))
  const said = run(join(packages, 'relay-compiler/cli.js'), [], join(folder, 'relay'))
  const made = readdirSync(join(folder, 'relay/made'))
  for (const type of nodeTypes) expect(made, said).toContain(`uses${type}Query.graphql.ts`)
  for (const name of ['Forward', 'Backward']) expect(made).toContain(`uses${name}Query.graphql.ts`)
  for (const name of ['Create', 'Delete']) expect(made).toContain(`uses${name}Mutation.graphql.ts`)
}, 120_000)
