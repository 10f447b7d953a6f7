/**
 * Arguments are visible to everybody on a machine, so no command takes a secret as one, or hands one to a program.
 * Neighbours that were looked for: both addresses of a move, settings beside them, LIVE keys, and the arguments of
 * `pg_dump`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withoutPassword } from '../../src/cli/backup-file.ts'
import { createFolder } from '../folder.ts'
import { startCommand } from '../server-process.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const folder = createFolder('arguments')
const url = 'postgresql://user:hidden@127.0.0.1:1/none'

const ended = async (args: string[], settings: Record<string, string> = {}) => {
  const running = startCommand(process.execPath, [bin, ...args], { DATA_DIR: folder, ...settings })
  return { code: await running.exited, output: running.output() }
}

describe.concurrent('an address of a database among the arguments is refused, and not repeated', () => {
  test.each([
    ['move --to', ['move', '--to', url], 'TARGET_DATABASE_URL'],
    ['move --from', ['move', '--to', folder, '--from', url], 'DATABASE_URL'],
  ])('by tessera %s', async (_, args, setting) => {
    const { code, output } = await ended(args)
    expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(output).toContain(`set ${setting}, or name a file in ${setting}_FILE`)
    expect(output).not.toContain('hidden')
  })
})

describe.concurrent('the setting', () => {
  const file = join(folder, 'address')
  writeFileSync(file, `${url}\n`)

  test('names the target of a move, by a file as well', async () => {
    const settings = { DATABASE_URL: url, TARGET_DATABASE_URL_FILE: file }
    const { code, output } = await ended(['move'], settings)
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('ECONNREFUSED') })
    expect(output).not.toContain('hidden')
  })

  test.each<[string, string[], Record<string, string>, string]>([
    ['is missing', ['move'], {}, '--to or TARGET_DATABASE_URL is missing'],
    ['is no URL', ['move'], { TARGET_DATABASE_URL: 'here' }, 'must be a URL like postgresql'],
    ['names no file', ['move'], { TARGET_DATABASE_URL_FILE: '/nowhere' }, 'does not exist'],
    [
      'is one of two targets',
      ['move', '--to', folder],
      { TARGET_DATABASE_URL_FILE: file },
      'are two targets',
    ],
  ])('%s: tessera %s says so', async (_, args, settings, message) => {
    const { code, output } = await ended(args, settings)
    expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(output).toContain(message)
    expect(output).not.toContain('hidden')
  })
})

test('a LIVE key among the arguments of webhooks listen is refused, and not repeated', async () => {
  const args = ['webhooks', 'listen', '--forward', 'localhost:1', '--api-key', 'sk_live_hidden']
  const { code, output } = await ended(args)
  expect(code).toBe(2)
  expect(output).toContain('TESSERA_SECRET_KEY')
  expect(output).not.toContain('hidden')
})

test.each([
  ['postgresql://u:p%40w@h/d', 'postgresql://u@h/d', 'p%40w'],
  [
    'postgresql://u:p@h1,h2:5433/d?sslmode=require',
    'postgresql://u@h1,h2:5433/d?sslmode=require',
    'p',
  ],
  ['postgresql://u@h/d?password=p', 'postgresql://u@h/d', 'p'],
  ['postgresql://u@h/d?password=p&sslmode=require', 'postgresql://u@h/d?sslmode=require', 'p'],
  ['postgresql://u@h/d?sslmode=require&password=p', 'postgresql://u@h/d?sslmode=require', 'p'],
  ['postgresql://u@h/d', 'postgresql://u@h/d', ''],
])('pg_dump gets %s without its password', (given, database, password) => {
  expect(withoutPassword(given)).toEqual({ database, password })
})
