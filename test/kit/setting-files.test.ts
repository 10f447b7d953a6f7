import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/kit/config/config.ts'
import { createFolder } from '../folder.ts'

const folder = createFolder('settings')
const masterKey = 'k'.repeat(32)

/** Writes a file with this text; returns its path. */
const fileOf = (name: string, text: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(env)} was not refused`)
}

describe('a setting in a file', () => {
  test('is as if it were in its variable, for every secret', () => {
    const settings = {
      DATABASE_URL: 'postgresql://u:p@pooler/tessera',
      DATABASE_DIRECT_URL: 'postgresql://u:p@db/tessera',
      REDIS_URL: 'redis://:p@cache:6379',
      SMTP_URL: 'smtps://u:p@mail.example.com',
      MASTER_KEYS: `2:${masterKey},1:${masterKey}`,
      ADMIN_PASSWORD: 'correct horse battery',
    }
    const more = { MAIL_FROM: 'no-reply@example.com', ADMIN_EMAIL: 'admin@example.com' }
    const files = Object.entries(settings).map(([name, text]) => [
      `${name}_FILE`,
      fileOf(name, `${text}\n`),
    ])
    expect(readConfig({ ...Object.fromEntries(files), ...more })).toEqual(
      readConfig({ ...settings, ...more }),
    )
  })

  test.each(['', '\n', '\r\n'])('may end with %j', (end) => {
    const MASTER_KEY_FILE = fileOf('key', masterKey + end)
    expect(readConfig({ MASTER_KEY_FILE }).masterKeys).toEqual([{ version: 1, text: masterKey }])
  })

  test('keeps spaces, which may belong to a password', () => {
    const ADMIN_PASSWORD_FILE = fileOf('password', ' correct horse \n')
    const { admin } = readConfig({ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD_FILE })
    expect(admin?.password).toBe(' correct horse ')
  })

  test('is unset if the name of its file is empty', () => {
    expect(readConfig({ MASTER_KEY_FILE: '' })).toEqual(readConfig({}))
  })

  test('must be good, like that of a variable', () => {
    const message = refusal({ MASTER_KEY_FILE: fileOf('short', 'short') })
    expect(message).toMatch(/^MASTER_KEY: must have at least 32 characters/)
  })

  test('must not be in its variable, too', () => {
    const MASTER_KEY_FILE = fileOf('twice', masterKey)
    expect(refusal({ MASTER_KEY: masterKey, MASTER_KEY_FILE })).toBe(
      'MASTER_KEY_FILE: must not be set together with MASTER_KEY (see .env.example)',
    )
  })

  test.each([
    ['missing', join(folder, 'missing'), 'the file does not exist'],
    ['a folder', folder, 'it is not a file'],
    ['empty', fileOf('empty', '\n'), 'the file is empty'],
    ['of two lines', fileOf('two', `${masterKey}\n${masterKey}\n`), 'has more than one line'],
    ['too large', fileOf('large', Buffer.alloc(100_000, 'k')), 'it has more than 65536 bytes'],
    ['without an end', '/dev/zero', 'it is not a file'],
  ])('is refused if the file is %s', (_, path, reason) => {
    const message = refusal({ MASTER_KEY_FILE: path })
    expect(message).toContain(`MASTER_KEY_FILE: cannot use ${path}: `)
    expect(message).toContain(reason)
    expect(message).not.toContain(masterKey)
  })

  test('is reported together with other faults', () => {
    const message = refusal({ MASTER_KEY_FILE: '/none', PORT: 'x' })
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'MASTER_KEY_FILE',
      'PORT',
    ])
  })
})
