/** The schema by the rules that GraphQL teams share: names, ids, connections, deprecations. */
import { readFileSync } from 'node:fs'
import graphqlPlugin from '@graphql-eslint/eslint-plugin'
import { ESLint, type Linter } from 'eslint'
import { expect, test } from 'vitest'

const rule = (name: string) => `@graphql-eslint/${name}`

/** Changes to the recommended rules, and why. */
const changed: Linter.RulesRecord = {
  // Payloads, errors, rewards, counts are values: they have no identity.
  [rule('strict-id-in-types')]: 'off',
  // A list that is short by nature is a plain list; `nodes` beside `edges`; a place on a leaderboard is no node.
  [rule('relay-edge-types')]: [
    'error',
    { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
  ],
  // `gameType`, `offerType` and `playedAt` are what REST and events call them.
  [rule('no-typename-prefix')]: 'off',
}

const lint = async (text: string): Promise<string[]> => {
  const { configs } = graphqlPlugin as unknown as {
    configs: Record<string, { rules: Linter.RulesRecord }>
  }
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.graphql'],
      languageOptions: {
        parser: graphqlPlugin.parser,
        parserOptions: { graphQLConfig: { schema: text } },
      },
      plugins: { '@graphql-eslint': graphqlPlugin as never },
      rules: {
        ...configs['flat/schema-recommended']?.rules,
        ...configs['flat/schema-relay']?.rules,
        ...changed,
      },
    },
  })
  const [result] = await eslint.lintText(text, { filePath: 'schema.graphql' })
  return (result?.messages ?? []).map(
    ({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`,
  )
}

test('the schema follows every rule', async () => {
  const faults = await lint(readFileSync('schema.graphql', 'utf8'))
  expect(faults).toEqual([])
})

test('violations in a bad schema are found', async () => {
  const faults = await lint('type Query { user_name: String userS: [Int] } enum Mood { good }')
  expect(faults.join('\n')).toContain('UPPER_CASE')
})
