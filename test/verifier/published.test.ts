/** The programs of packages/verifier, from the repository and as they are downloaded, against published proofs. */
import { expect, test } from 'vitest'
import { startProgram } from '../server-process.ts'
import { publishedDraws, publishedPlays } from './published.ts'

const run = async (program: string, paths: string[]) => {
  const running = startProgram({}, [program, ...paths].join(' '))
  return { code: await running.exited, output: running.output() }
}

test.concurrent.each(['packages/verifier/verify-%.ts', 'src/generated/verifier/verify-%.js'])(
  'the programs %s accept every one',
  async (program) => {
    expect([publishedDraws.length, publishedPlays.length]).toEqual([6, 9])
    const plays = publishedPlays.map(({ path }) => path)
    const runs = [
      run(program.replace('%', 'play'), plays),
      ...publishedDraws.map(({ path }) => run(program.replace('%', 'draw'), [path])),
    ]
    for (const { code, output } of await Promise.all(runs)) {
      expect(output).toContain('The proof holds.')
      expect(output).not.toContain('✗')
      expect(code).toBe(0)
    }
  },
)
