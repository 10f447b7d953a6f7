import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const textOf = (file: string) => readFileSync(join(docs, file), 'utf8')

const guides = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
)
const decisions = guides.filter((file) => /^decisions\/(?!README)/.test(file)).sort()

describe('decisions', () => {
  const sections = ['Background', 'Decision', 'Consequences', 'Not chosen']

  test('are at most 60, named by their topic', () => {
    expect(decisions.length).toBeLessThanOrEqual(60)
    expect(decisions.filter((file) => !/^decisions\/[a-z]+(-[a-z]+)*\.md$/.test(file))).toEqual([])
  })

  test('have a title and the same four sections', () => {
    const headingsOf = (file: string) => textOf(file).match(/^##? .+$/gm)
    expect(decisions.map(headingsOf)).toEqual(
      decisions.map(() => [
        expect.stringMatching(/^# \p{Lu}/u),
        ...sections.map((section) => `## ${section}`),
      ]),
    )
  })

  test('fit one page', () => {
    const wordsOf = (file: string) => textOf(file).split(/\s+/).length
    expect(decisions.filter((file) => wordsOf(file) > 480)).toEqual([])
  })

  test('are in the index once, with their titles', () => {
    const lineOf = (file: string) =>
      `- [${/^# (.+)\n/.exec(textOf(file))?.[1]}](${file.slice('decisions/'.length)})`
    const listed = textOf('decisions/README.md')
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(listed.sort()).toEqual(decisions.map(lineOf).sort())
  })
})

test('comments name records that exist', () => {
  const folders = ['src', 'console', 'packages', 'scripts', 'test', 'bench']
  const sources = folders.flatMap((folder) =>
    readdirSync(join(docs, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|js|sql)$/.test(file) && !/\b(node_modules|generated)\//.test(file))
      .map((file) => join('..', folder, file)),
  )
  const named = sources.flatMap((file) => textOf(file).match(/\bdecisions\/[a-z-]+\.md\b/g) ?? [])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((file) => !decisions.includes(file))).toEqual([])
})

describe('links between files of the documentation', () => {
  const root = join(docs, '..')
  const files = ['README.md', 'CHANGELOG.md', 'bench/results.md', ...guides.map((f) => `docs/${f}`)]
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  /** The anchors of a file, made from its headings as GitHub does. */
  const anchorsOf = (file: string) =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    )
  const links = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|\/|mailto:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)].map(
      ([, path = '', anchor]) => {
        const target = path ? join(dirname(file), path) : file
        return { target, anchor, text: `${file}: ${path}${anchor ? `#${anchor}` : ''}` }
      },
    ),
  )

  test('name files that exist', () => {
    const broken = links.filter(({ target }) => !existsSync(join(root, target)))
    expect(broken.map(({ text }) => text)).toEqual([])
  })

  test('name headings that exist', () => {
    const broken = links.filter(
      ({ target, anchor }) =>
        anchor && target.endsWith('.md') && !anchorsOf(target).includes(anchor),
    )
    expect(broken.map(({ text }) => text)).toEqual([])
  })
})
