/**
 * The recipes of `docs/recipes.md` as steps. A block belongs to the path before it that a colon follows: a `diff` changes
 * that file, `sh` holds commands, `graphql` is only shown, and any other block is the whole of a new file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Step =
  | { kind: 'create' | 'change'; path: string; text: string }
  | { kind: 'run'; commands: string[] }

export type Recipe = { title: string; text: string; steps: Step[] }

const isPath = /^(?:bench|docs|prisma|scripts|src|test)\/[\w./-]+\.\w+$/

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
    else if (language !== 'graphql')
      steps.push({ kind: language === 'diff' ? 'change' : 'create', path, text: lines.join('\n') })
  }
  return steps
}

export const readRecipes = (): Recipe[] =>
  readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')), text, steps: stepsOf(text) }))

/** How many lines of other changes may separate two lines that are adjacent in a diff. */
const maxBetween = 20

/** A line that a diff expects in the file, and the lines that it adds after it. */
type Anchor = { text: string; isKept: boolean; added: string[] }

/** Splits a part of a diff into the lines that it adds at its beginning and the lines that it expects. */
const readPart = (part: string): { before: string[]; anchors: Anchor[] } => {
  const before: string[] = []
  const anchors: Anchor[] = []
  for (const line of part.split('\n').slice(0, -1)) {
    const text = line.slice(1)
    if (line.startsWith('+')) (anchors.at(-1)?.added ?? before).push(text)
    else anchors.push({ text, isKept: !line.startsWith('-'), added: [] })
  }
  return { before, anchors }
}

/** A change that only inserts words into a line. It also fits a line into which others have been inserted. */
const insertionOf = ({ text, isKept, added }: Anchor) => {
  const [longer = '', ...more] = added
  if (isKept || more.length > 0) return null
  let at = 0
  while (at < text.length && text[at] === longer[at]) at++
  const [head, tail] = [text.slice(0, at), text.slice(at)]
  if (longer.length <= text.length || !longer.endsWith(tail)) return null
  return { head, words: longer.slice(at, longer.length - tail.length), tail }
}

const fits = (anchor: Anchor, line: string): boolean => {
  const { head, tail } = insertionOf(anchor) ?? { head: anchor.text, tail: '' }
  const isLongEnough = line.length >= head.length + tail.length
  return (
    line === anchor.text ||
    (tail !== '' && isLongEnough && line.startsWith(head) && line.endsWith(tail))
  )
}

/** The places where the lines of a part occur in order, as close together as possible. */
const placesOf = (lines: string[], [first, ...rest]: Anchor[]): number[][] => {
  const places = lines.flatMap((line, start) => {
    if (!first || !fits(first, line)) return []
    const place = [start]
    for (const anchor of rest) {
      const from = (place.at(-1) ?? start) + 1
      const steps = lines.slice(from, from + maxBetween + 1).findIndex((next) => fits(anchor, next))
      if (steps < 0) return []
      place.push(from + steps)
    }
    return [place]
  })
  const length = (place: number[]) => (place.at(-1) ?? 0) - (place[0] ?? 0)
  const shortest = Math.min(...places.map(length))
  return places.filter((place) => length(place) === shortest)
}

const afterChange = (anchor: Anchor, line: string): string[] => {
  const { isKept, added } = anchor
  const insertion = insertionOf(anchor)
  if (!insertion) return isKept ? [line, ...added] : added
  const { head, words } = insertion
  return [head + words + line.slice(head.length)]
}

/**
 * A file with a diff applied. `@@` separates parts. Each part fits one place of the file, where other lines may stand
 * between its lines.
 * @throws Error for a part that does not fit the file, or is in it already
 */
export const applyDiff = (path: string, source: string, diff: string): string => {
  let lines = source.split('\n')
  for (const part of diff.split(/^@@.*\n/m)) {
    const { before, anchors } = readPart(part)
    const [place, ...others] = placesOf(lines, anchors)
    if (!place || others.length > 0)
      throw new Error(
        `docs/recipes.md: these lines must be in ${path} once, in this order: ${anchors.map(({ text }) => `\n${text}`).join('')}`,
      )
    const added = [...before, ...anchors.flatMap((anchor) => anchor.added)]
    const [start = 0, end = start] = [place[0], place.at(-1)]
    const there = lines.slice(Math.max(0, start - before.length), end + 1 + added.length)
    if (added.every((line) => there.includes(line)))
      throw new Error(`docs/recipes.md: ${path} has been changed already: ${added.join('\n')}`)
    lines = lines.flatMap((line, n) => {
      const anchor = anchors[place.indexOf(n)]
      if (!anchor) return [line]
      return [...(n === start ? before : []), ...afterChange(anchor, line)]
    })
  }
  return lines.join('\n')
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
    files.set(path, kind === 'create' ? text : applyDiff(path, source(), text))
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
