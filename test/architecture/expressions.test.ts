import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Expression = { file: string; pattern: string; flags: string }

/** Every regular expression of a program; one that is built at runtime has no pattern. */
const expressionsIn = (file: string, source: string): Expression[] => {
  const found: Expression[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee } = node as {
      type?: string
      regex?: Omit<Expression, 'file'>
      callee?: { name?: string }
    }
    if (type === 'Literal' && regex) found.push({ file, ...regex })
    if (callee?.name === 'RegExp') found.push({ file, pattern: '', flags: '' })
    for (const child of Object.values(node)) visit(child)
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  visit(program)
  return found
}

const sources = ['src', 'console', 'packages/verifier'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => join(root, folder, name)),
)

const isSafe = async ({ pattern, flags }: Expression) =>
  pattern !== '' && (await check(pattern, flags, { timeout: 120_000 })).status === 'safe'

test('expressions are found, and those that take more than linear time are detected', async () => {
  const source = 'const a = <T,>(b: T) => /^(a|a)+$/.test(b) && /x*x*y/u; new RegExp(a); /^a+$/'
  const found = expressionsIn('sample.tsx', source)
  expect(found.map(({ pattern }) => pattern)).toEqual(['^(a|a)+$', 'x*x*y', '', '^a+$'])
  expect(await Promise.all(found.map(isSafe))).toEqual([false, false, false, true])
})

/** Expressions that were proven safe, by their text: a proof takes seconds. `vitest run --update` writes the file. */
const provenFile = join(import.meta.dirname, 'linear-expressions.txt')

test('every regular expression takes linear time, whatever the text', {
  timeout: 600_000,
}, async () => {
  const all = sources.flatMap((file) => expressionsIn(file, readFileSync(file, 'utf8')))
  expect(all.length).toBeGreaterThan(50)
  const textOf = ({ pattern, flags }: Expression) => `/${pattern}/${flags}`
  const proven = new Set(readFileSync(provenFile, 'utf8').split('\n'))
  const unsafe: string[] = []
  for (const expression of all)
    if (!proven.has(textOf(expression)) && !(await isSafe(expression)))
      unsafe.push(`${relative(root, expression.file)}: ${textOf(expression)}`)
  expect(unsafe).toEqual([])
  await expect(`${[...new Set(all.map(textOf))].sort().join('\n')}\n`).toMatchFileSnapshot(
    provenFile,
  )
})
