import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const textOf = (file: string) => readFileSync(join(docs, file), 'utf8')

const guides = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
)
const decisions = guides.filter((file) => /^decisions\/\d{4}-/.test(file)).sort()
const index = textOf('decisions/README.md')

describe('decisions', () => {
  const numberOf = (file: string) => file.slice('decisions/'.length).slice(0, 4)
  const titleOf = (file: string) => /^# (\d{4}) (.+)\n/.exec(textOf(file))

  test('have a title with their number, and a number of their own', () => {
    expect(decisions.filter((file) => titleOf(file)?.[1] !== numberOf(file))).toEqual([])
    expect(new Set(decisions.map(numberOf)).size).toBe(decisions.length)
  })

  test('are in the index once, with their titles', () => {
    const lineOf = (file: string) =>
      `- [${numberOf(file)}](${file.slice('decisions/'.length)}) ${titleOf(file)?.[2]}`
    const lines = index.split('\n').map((line) => line.replace(/ \((partly )?superseded by .*/, ''))
    const listed = lines.filter((line) => line.startsWith('- '))
    expect(listed.sort()).toEqual(decisions.map(lineOf).sort())
  })
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
