import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/rest/routes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const filesUnder = (folder: string, endings: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (name) => endings.test(name) && !/^(src|console)\/generated\/|node_modules\//.test(name),
    )

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

const programs = ['src', 'console', 'packages/verifier'].flatMap((folder) =>
  filesUnder(folder, /\.tsx?$/),
)
const sources = ['src', 'console'].flatMap((folder) => filesUnder(folder, /\.(tsx?|js|css|sql)$/))
const everything = [
  ...sources,
  ...['scripts', 'test', 'bench', 'packages/verifier'].flatMap((folder) =>
    filesUnder(folder, /\.tsx?$/),
  ),
]

describe('files', () => {
  const linesOf = (file: string) => textOf(file).split('\n').length - 1

  test('have 400 lines at most', () => {
    expect(everything.filter((file) => linesOf(file) > 400)).toEqual([])
  })

  test('are named in kebab-case, and none of them index, utils, helpers, types or service', () => {
    const names = everything
      .filter((file) => !file.includes('/builds/'))
      .map((file) => basename(file))
    expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*(\.[a-z\d]+)+$/.test(name))).toEqual([])
    expect(
      names.filter((name) => /^(index|utils?|helpers?|types?|services?)\b/.test(name)),
    ).toEqual([])
  })
})

/** `/v1/arena/games/{slug}` and `/v1/arena-games` may be in `v1/arena/games.ts`, `v1/arena-games.ts`, `v1/arena.ts`, … */
const filesOf = (path: string): string[] => {
  const steps = path.split(/[/-]/).filter((step) => step !== '' && !step.startsWith('{'))
  return steps.slice(1).flatMap((_, end) => {
    const [first, ...rest] = steps.slice(0, end + 2) as [string, ...string[]]
    return [join('src/rest', first, ...rest), join('src/rest', first, rest.join('-'))].map(
      (file) => `${file}.ts`,
    )
  })
}

describe('files of REST', () => {
  const holders = filesUnder('src/rest', /\.ts$/).filter((file) => file.split('/').length > 3)

  test.each(holders)('%s holds the routes of its URL', async (file) => {
    const exports: unknown[] = Object.values(await import(join(root, file)))
    const held = exports.flat().filter((item) => routes.includes(item as never)) as typeof routes
    expect(held.length).toBeGreaterThan(0)
    for (const { path } of held) expect(filesOf(path), path).toContain(file)
  })

  test('hold every route', async () => {
    const modules = await Promise.all(holders.map((file) => import(join(root, file))))
    const held = new Set(modules.flatMap((module) => Object.values(module).flat()))
    expect(routes.filter((route) => !held.has(route)).map(({ path }) => path)).toEqual([])
  })
})

type Long = { at: string; lines: number; hasReason: boolean }

/** The functions of a program that have more than 60 lines, and whether `// Long: …` says why above them. */
const longFunctionsOf = (file: string, text: string): Long[] => {
  const lines = text.split('\n')
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const found: Long[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end } = node as { type?: string; start: number; end: number }
    if (/^(ArrowFunctionExpression|Function(Declaration|Expression))$/.test(String(type))) {
      const first = lineAt(start)
      const length = lineAt(end) - first + 1
      const hasReason = /^\s*\/\/ Long: \S/.test(lines[first - 2] ?? '')
      if (length > 60) found.push({ at: `${file}:${first}`, lines: length, hasReason })
    }
    for (const child of Object.values(node)) visit(child)
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  visit(program)
  return found
}

describe('functions', () => {
  test('that are long are found, with their reasons', () => {
    const body = 'call()\n'.repeat(60)
    const sample = (above: string) =>
      `${above}const a = <T,>(b: T) => {\n${body}}\nfunction c() {\n}`
    expect(longFunctionsOf('sample.tsx', sample(''))).toEqual([
      { at: 'sample.tsx:1', lines: 62, hasReason: false },
    ])
    expect(longFunctionsOf('sample.tsx', sample('// Long: one after another.\n'))).toEqual([
      { at: 'sample.tsx:2', lines: 62, hasReason: true },
    ])
  })

  test('have 60 lines at most, or 100 and a reason', () => {
    const long = programs.flatMap((file) => longFunctionsOf(file, textOf(file)))
    expect(long.filter(({ lines, hasReason }) => lines > 100 || !hasReason)).toEqual([])
    // The markup of a form is long by nature.
    expect(long.filter(({ at }) => !at.includes('.tsx')).length).toBeLessThan(12)
  })
})
