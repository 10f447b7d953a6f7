/**
 * What the programs of docs/verify-a-draw.md and docs/fair-plays.md say about a file that they cannot verify.
 * Neighbours that were looked for: each program, each kind of file that is no proof, and no file.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFolder } from '../folder.ts'
import { startProgram } from '../server-process.ts'

const folder = createFolder('verify')
const at = (name: string) => join(folder, name)
mkdirSync(at('folder'))
writeFileSync(at('text'), 'not JSON')
writeFileSync(at('empty'), '')
writeFileSync(at('number'), '12')
writeFileSync(at('null'), 'null')
writeFileSync(at('list'), '[]')
writeFileSync(at('object'), '{}')
writeFileSync(
  at('draw'),
  '{"version":1,"rules":"no JSON","commitment":"00","root":"00","seed":"00"}',
)
writeFileSync(at('shapes'), '{"version":1,"rules":"{}","commitment":"00","root":"00","seed":"00"}')
writeFileSync(
  at('greedy'),
  '{"version":1,"rules":"{\\"main\\":{\\"count\\":4,\\"min\\":1,\\"max\\":3}}","commitment":"00","root":"00","seed":"00"}',
)
writeFileSync(at('play'), '{"version":1,"playId":"1","rules":"no JSON"}')

const files: [string, RegExp][] = [
  ['none', /cannot be read: there is no such file/],
  ['folder', /cannot be read: it is a folder/],
  ['text', /is no proof: it is not JSON/],
  ['empty', /is no proof: it is not JSON/],
  ['number', /is no proof: it is not a JSON object/],
  ['null', /is no proof: it is not a JSON object/],
  ['list', /is no proof: it is not a JSON object/],
]

const ended = async (program: string, paths: string[]) => {
  const running = startProgram({}, [program, ...paths.map(at)].join(' '))
  const code = await running.exited
  return { code, output: running.output().trim() }
}

describe.concurrent.each([
  'packages/verifier/verify-draw.ts',
  'packages/verifier/verify-play.ts',
  'src/cli/verify.ts',
])('node %s ends with one line and not with 0', (program) => {
  test.each(files)('if the file is %s', async (name, message) => {
    const { code, output } = await ended(program, [name])
    expect({ code: code !== 0, lines: output.split('\n').length }).toEqual({
      code: true,
      lines: 1,
    })
    expect(output).toContain(at(name))
    expect(output).toMatch(message)
  })

  test('without a file', async () => {
    const { code, output } = await ended(program, [])
    expect({ code, lines: output.split('\n').length }).toEqual({ code: 2, lines: 1 })
  })

  test.each(['object', 'draw', 'shapes', 'greedy', 'play'])(
    'or a verdict, if it is the %s of something else',
    async (name) => {
      const { code, output } = await ended(program, [name])
      expect(code).toBe(1)
      expect(output).toMatch(/^✗ This is no proof that this program understands\./)
      expect(output).not.toMatch(/\bat .*:\d+:\d+/)
    },
  )
})

test.concurrent.each([
  ['packages/verifier/verify-draw.ts', 'draw', 'none', /cannot be read: there is no such file/],
  ['packages/verifier/verify-draw.ts', 'draw', 'folder', /cannot be read: it is a folder/],
  ['packages/verifier/verify-play.ts', 'play', 'none', /cannot be read: there is no such file/],
])('node %s says so about its second file as well', async (program, first, second, message) => {
  const { code, output } = await ended(program, [first, second])
  expect(code).toBe(2)
  expect(output.split('\n').at(-1)).toMatch(message)
  expect(output).not.toMatch(/\bat .*:\d+:\d+/)
})
