/** Checks `docs/recipes.md`; `npm run recipes` carries out its recipes. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { applyDiff, filesAfter, type Recipe, readRecipes } from '../../scripts/recipe.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const testFiles = globSync('test/**/*.test.ts', { cwd: root })
const tests = testFiles.map(read).join('\n')

const recipes = readRecipes()

const kindsOf = ({ steps }: Recipe) => steps.map(({ kind }) => kind)

test('there are four recipes, and each writes files and checks them', () => {
  expect(recipes).toHaveLength(4)
  for (const recipe of recipes) {
    const [last, ...others] = kindsOf(recipe).reverse()
    expect([recipe.title, last, others.length > 0]).toEqual([recipe.title, 'run', true])
  }
})

test('a game for agents is three files, and changes no other', () => {
  const [game] = recipes.filter(({ title }) => title === 'Add a game for agents')
  expect(game && kindsOf(game)).toEqual(['create', 'create', 'create', 'run'])
})

test('a resource takes seven files by hand, one of them the migration', () => {
  const [resource] = recipes.filter(({ title }) => title === 'Add a REST resource')
  expect(filesAfter(root, resource as (typeof recipes)[number]).size + 1).toBe(7)
})

test('a diff fits one place, also when others have added lines and words there', () => {
  const diff = ' first\n+second\n third\n@@\n-all = [a, b]\n+all = [a, b, c]\n'
  const apply = (...lines: string[]) => applyDiff('x.ts', lines.join('\n'), diff).split('\n')
  expect(apply('first', 'mine', 'third', 'all = [a, b, mine]')).toEqual([
    'first',
    'second',
    'mine',
    'third',
    'all = [a, b, c, mine]',
  ])
  expect(apply('first', 'first', 'third', 'all = [a, b]')).toEqual([
    'first',
    'first',
    'second',
    'third',
    'all = [a, b, c]',
  ])
  const refused: [reason: string, lines: string[]][] = [
    ['once', ['third', 'first', 'all = [a, b]']],
    ['once', ['first', 'third', 'first', 'third', 'all = [a, b]']],
    ['once', ['first', ...Array(21).fill('mine'), 'third', 'all = [a, b]']],
    ['once', ['first', 'third', 'all = [b, a]']],
    ['already', ['first', 'second', 'third', 'all = [a, b]']],
    ['already', ['first', 'third', 'all = [a, b, c]']],
  ]
  for (const [reason, lines] of refused) expect(() => apply(...lines)).toThrow(reason)
})

describe.each(recipes)('$title', (recipe) => {
  test('its steps fit the repository', () => {
    expect(filesAfter(root, recipe).size).toBeGreaterThan(1)
  })

  test('every path that it names is there, or is made by it', () => {
    const made = [...filesAfter(root, recipe).keys()]
    const named = recipe.text.match(/(?<![\w./-])(?:docs|prisma|src|test)\/[\w./-]*\w/g) ?? []
    const isThere = (path: string) =>
      existsSync(`${root}/${path}`) || [...made, ...testFiles].some((file) => file.startsWith(path))
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  test('every script that it runs is one of package.json', () => {
    const named = [...recipe.text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => !scripts[name])).toEqual([])
  })

  test('every failure that it explains is the title of a test', () => {
    const titles = [...recipe.text.matchAll(/^\| (?!---|Failing test)(.+?) \|/gm)].map(
      ([, title]) => title,
    )
    expect(titles.length).toBeGreaterThan(0)
    const isTitle = (title = '') => title.split('…').every((part) => tests.includes(part.trim()))
    expect(titles.filter((title) => !isTitle(title))).toEqual([])
  })

  test('has 80 lines at most besides the code', () => {
    const prose = recipe.text.replace(/^( *)```\w+\n[\s\S]*?^ *```$/gm, '')
    expect(prose.split('\n').length).toBeLessThanOrEqual(80)
  })
})
