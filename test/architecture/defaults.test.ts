/** Texts that name a default name the one that the code uses, which is also that of the schema. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInputObjectType } from 'graphql'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/schema.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: nodes of any kind are looked into
type Node = any

type Said = { at: string; folder: string; name: string; text: string; own: Node }
type Used = { folder: string; name: string; value: unknown }

/** `0.3`, `true` or `DRAFT`, when a text says no more than that of a default. */
const literalIn = (text: string): unknown => {
  const [, word = ''] = /(?:Defaults to|Default:) ([\w.,]+)\.(?: |$)/.exec(text) ?? []
  if (/^[\d.,]+$/.test(word)) return Number(word.replaceAll(',', ''))
  if (word === 'true' || word === 'false') return word === 'true'
  return /^[A-Z][A-Z_]+$/.test(word) ? word : undefined
}

const nameOf = (node: Node): string | undefined => {
  if (node?.type === 'Identifier') return node.name
  if (node?.type === 'MemberExpression') return nameOf(node.property)
  return node?.type === 'ChainExpression' ? nameOf(node.expression) : undefined
}

/** What is left of `??`, and its right side as it is said: rates are stored in percent. */
const usedIn = (
  { left, right }: Node,
  constants: Map<string, unknown>,
): [string, unknown] | undefined => {
  const value = right.type === 'Literal' ? right.value : constants.get(nameOf(right) ?? '')
  if (value === undefined) return undefined
  if (left.type !== 'CallExpression') return [nameOf(left) ?? '', value]
  const isPercent = nameOf(left.callee) === 'inPercent'
  return [nameOf(left.arguments[0]) ?? '', isPercent ? Number(value) / 100 : value]
}

const textOf = (node: Node, constants: Map<string, unknown>): string =>
  node?.type === 'Literal'
    ? String(node.value)
    : node?.type === 'TemplateLiteral'
      ? node.quasis
          .map((part: Node, i: number) => {
            const value = constants.get(nameOf(node.expressions[i]) ?? '')
            return `${part.value.cooked}${value ?? ''}`
          })
          .join('')
      : ''

const walk = (node: Node, see: (node: Node) => void): void => {
  if (typeof node !== 'object' || node === null) return
  if (node.type) see(node)
  for (const child of Object.values(node)) walk(child, see)
}

/** The description of a field of an input schema. */
const describedBy = ({ value }: Node, constants: Map<string, unknown>): string => {
  let text = ''
  let call = value
  while (call?.type === 'CallExpression') {
    if (nameOf(call.callee) === 'describe') text ||= textOf(call.arguments[0], constants)
    call = call.callee.object
  }
  return text
}

const read = (file: string, source: string): { said: Said[]; used: Used[] } => {
  const said: Said[] = []
  const used: Used[] = []
  const at = relative(join(root, 'src'), file)
  const [folder = ''] = at.split('/')
  const { program } = parseSync(file, source)
  const constants = new Map<string, unknown>()
  walk(program, ({ type, id, init }) => {
    if (type === 'VariableDeclarator' && init?.type === 'Literal')
      constants.set(id.name, init.value)
  })
  walk(program, (node) => {
    if (node.type === 'Property') {
      const name = node.key.name
      const text = describedBy(node, constants)
      if (literalIn(text) !== undefined) said.push({ at, folder, name, text, own: node.value })
    }
    if (node.type === 'VariableDeclarator' && /^default/.test(node.id.name ?? ''))
      for (const { key, value } of node.init?.properties ?? [])
        if (value?.type === 'Literal') used.push({ folder, name: key.name, value: value.value })
    if (node.type === 'LogicalExpression' && node.operator === '??') {
      const [name, value] = usedIn(node, constants) ?? []
      if (name) used.push({ folder, name, value })
    }
  })
  return { said, used }
}

/** The defaults of a transformation within the schema of a field. */
const ownOf = ({ own }: Said): unknown[] => {
  const found: unknown[] = []
  walk(own, ({ type, operator, right }) => {
    if (type === 'LogicalExpression' && operator === '??' && right.type === 'Literal')
      found.push(right.value)
  })
  return found
}

const all = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/^(generated|rest|pages)\b/.test(name))
  .map((name) => join(root, 'src', name))
  .map((file) => read(file, readFileSync(file, 'utf8')))

const said = all.flatMap((item) => item.said)
const used = all.flatMap((item) => item.used)

const defaultsOf = (said: Said): unknown[] => [
  ...ownOf(said),
  ...used
    .filter(({ folder, name }) => folder === said.folder && name === said.name)
    .map(({ value }) => value),
]

describe('a default in a text', () => {
  test('is found, with what the code uses', () => {
    const { said, used } = read(
      join(root, 'src/x/y.ts'),
      "const In = z.object({ n: integer(1, 2).nullish().describe('Days. Defaults to 3.') }); f(input.n ?? 4)",
    )
    expect(said).toMatchObject([{ folder: 'x', name: 'n', text: 'Days. Defaults to 3.' }])
    expect(used).toEqual([{ folder: 'x', name: 'n', value: 4 }])
    expect(literalIn('Defaults to 72 hours from now.')).toBeUndefined()
    expect(literalIn('The share. Defaults to 0.3.')).toBe(0.3)
    expect(literalIn('Points. Default: 1,000.')).toBe(1000)
  })

  test('there are many', () => expect(said.length).toBeGreaterThan(35))

  test.each(said.map((item) => [`${item.at} ${item.name}`, item] as const))(
    '%s is what the code uses',
    (_, item) => {
      expect(defaultsOf(item), item.text).toContain(literalIn(item.text))
    },
  )
})

describe('a default in the schema', () => {
  const inputFields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isInputObjectType(type)
      ? Object.values(type.getFields()).map((field) => ({ owner: type.name, ...field }))
      : [],
  )

  test.each([
    ['CreateUserTokenInput', 'ttlSeconds', 900],
    ['CreateArenaAgentInput', 'isPublic', true],
    ['PrizeTierInput', 'weight', 1],
    ['SetOfferRuleInput', 'validHours', 72],
    ['SetClassificationRulesInput', 'monetaryPoints', 1000],
    ['SubmitArenaGameInput', 'developerRevenueRate', 0.3],
    ['CreateCampaignInput', 'status', 'DRAFT'],
    ['ScheduleArenaMatchInput', 'matchType', 'FRIENDLY'],
  ])('of %s.%s is what its text says', (type, name, value) => {
    const field = inputFields.find((field) => field.owner === type && field.name === name)
    expect(field?.defaultValue).toBe(value)
  })

  test('is there wherever a text names a constant one', () => {
    const named = inputFields.filter(
      ({ description }) => literalIn(description ?? '') !== undefined,
    )
    expect(named.length).toBeGreaterThan(35)
    const missing = named.filter(({ defaultValue }) => defaultValue === undefined)
    expect(missing.map(({ owner, name }) => `${owner}.${name}`)).toEqual([])
  })

  test('is in no input that changes something, because what it omits is unchanged', () => {
    const found = inputFields.filter(
      ({ owner, defaultValue }) => /^Update\w+Input$/.test(owner) && defaultValue !== undefined,
    )
    expect(found.map(({ owner, name }) => `${owner}.${name}`)).toEqual([])
  })
})

test('an input that changes something names no default, because what it omits is unchanged', () => {
  const inputs = Object.values(schema.getTypeMap()).filter(
    (type) => isInputObjectType(type) && /^Update\w+Input$/.test(type.name),
  )
  expect(inputs.length).toBeGreaterThan(5)
  const found = inputs.flatMap((type) =>
    isInputObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ description }) => /\bdefault/i.test(description ?? ''))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  )
  expect(found).toEqual([])
})
