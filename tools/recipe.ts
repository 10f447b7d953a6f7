/**
 * The recipes of `docs/recipes.md` as steps. A block belongs to the path before it that a colon follows: a `diff` changes
 * that file, `sh` holds commands, and any other block is the whole of a new file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Step =
  | { kind: 'create' | 'change'; path: string; text: string }
  | { kind: 'run'; commands: string[] }

export type Recipe = { title: string; text: string; steps: Step[] }

const isPath = /^(?:bench|docs|prisma|src|test|tools)\/[\w./-]+\.\w+$/

const stepsOf = (text: string): Step[] => {
  const steps: Step[] = []
  let path = ''
  for (const [, named, indent = '', language, block = ''] of text.matchAll(
    /`([^`\n]+)`:|^( *)```(\w+)\n([\s\S]*?)^ *```$/gm,
  )) {
    if (named !== undefined) {
      if (isPath.test(named)) path = named
      continue
    }
    const lines = block.split('\n').map((line) => line.slice(indent.length))
    if (language === 'sh')
      steps.push({ kind: 'run', commands: lines.filter((line) => line && !line.startsWith('#')) })
    else
      steps.push({ kind: language === 'diff' ? 'change' : 'create', path, text: lines.join('\n') })
  }
  return steps
}

export const readRecipes = (): Recipe[] =>
  readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')), text, steps: stepsOf(text) }))

/**
 * A file with a diff applied. `@@` separates parts; each part stands in the file exactly once.
 * @throws Error for a part that does not fit the file
 */
const changed = (path: string, source: string, diff: string): string => {
  let result = source
  for (const part of diff.split(/^@@.*\n/m)) {
    const lines = part.split('\n').slice(0, -1)
    const textWithout = (mark: string) =>
      lines.flatMap((line) => (line.startsWith(mark) ? [] : `${line.slice(1)}\n`)).join('')
    const [before, after] = [textWithout('+'), textWithout('-')]
    const [start = '', ...rest] = result.split(before)
    if (before === '' || rest.length !== 1)
      throw new Error(
        `docs/recipes.md: this must be in ${path} once, and is there ${rest.length} times:\n${before}`,
      )
    result = start + after + rest[0]
  }
  return result
}

/**
 * The files of a recipe as it leaves them, by path.
 * @param root the folder of the repository
 * @throws Error when the repository is not as the recipe says
 */
export const filesAfter = (root: string, { steps }: Recipe): Map<string, string> => {
  const files = new Map<string, string>()
  for (const step of steps) {
    if (step.kind === 'run') continue
    const { kind, path, text } = step
    const isThere = files.has(path) || existsSync(join(root, path))
    if (isThere !== (kind === 'change'))
      throw new Error(
        `docs/recipes.md: ${path} ${isThere ? 'is there already: has the recipe been followed here?' : 'is missing'}`,
      )
    const source = () => files.get(path) ?? readFileSync(join(root, path), 'utf8')
    files.set(path, kind === 'create' ? text : changed(path, source(), text))
  }
  return files
}

/** Carries out the steps between two commands, or all. */
export const writeFiles = (root: string, recipe: Recipe): void => {
  for (const [path, text] of filesAfter(root, recipe)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
