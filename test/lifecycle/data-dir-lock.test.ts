/**
 * One process at a time uses DATA_DIR, wherever it runs. Neighbours that were looked for: every command that opens the
 * folder, a holder that does not react, and the end of a server.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest'
import { DataDirLockError, lockDataDir } from '../../src/kit/embedded/data-dir.ts'
import { demoKeys, freePort, optimizeLate, type Program, startCommand } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

/** Commands that run another one as the first process of a new namespace, as in a container. */
const namespaces = [
  ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'],
]
const namespace = namespaces.find(
  ([command, ...args]) => spawnSync(command as string, [...args, 'true']).status === 0,
)

/** The programs of one test, on a folder that no other test has. */
const placeOf = ({ dataDir }: TestDatabase) => {
  const running: Program[] = []

  const run = (line: string[], env: Record<string, string> = {}, around: string[] = []) => {
    const [command, ...args] = [...around, process.execPath, optimizeLate, ...line]
    const program = startCommand(command as string, args, { DATA_DIR: dataDir, ...env })
    running.push(program)
    return program
  }

  const serve = async (around?: string[]) => {
    const port = await freePort()
    const env = { PORT: String(port), HOST: '127.0.0.1', RATE_LIMIT: 'off', JOBS: 'off' }
    const program = run(['src/main.js'], env, around)
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          'x-api-secret': demoKeys({ dataDir }).secretTest,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, data: (await answer.json()).data }
    }
    return {
      ...program,
      award: async (reference: string) =>
        (await call('/v1/points/award', { userId: 'ann', eventType: 'signup', reference })).status,
      balance: async () => (await call('/v1/users/ann/balance')).data.totalPoints,
    }
  }

  const started = async (around?: string[]) => {
    const server = await serve(around)
    await server.until('Ctrl-C')
    return server
  }

  /** Names the folder, and no process: whatever has a process id there may be another program here. */
  const refusal = `${dataDir} is in use by another server or command of Tessera. Stop that one first, choose another DATA_DIR, or set DATABASE_URL to share a PostgreSQL server.`

  const expectRefused = async (program: Program) => {
    const code = await program.exited
    const last = program.output().trim().split('\n').at(-1)
    expect({ code, last }).toEqual({ code: 1, last: refusal })
    expect(program.output()).not.toMatch(/Warning|\bat .*:\d+:\d+/)
  }

  const end = async () => {
    for (const { pid, exited } of running) {
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {}
      await exited
    }
  }
  return { dataDir, run, serve, started, refusal, expectRefused, end }
}

type Place = ReturnType<typeof placeOf>

/** A folder with the demo, which each test copies: making the demo takes longer than copying it. */
let demo: TestDatabase
beforeAll(async () => {
  if (onPostgres) return
  demo = await createDatabase(false)
  const place = placeOf(demo)
  const server = await place.started()
  await server.end('SIGTERM')
})
afterAll(() => demo?.drop())

const test = base.extend<{ place: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from it
  place: async ({}, use) => {
    const database = await createDatabase(false, false)
    cpSync(demo.dataDir, database.dataDir, { recursive: true })
    const place = placeOf(database)
    await use(place)
    await place.end()
    await database.drop()
  },
})

describe.skipIf(onPostgres)(
  'a second server on the folder of the first',
  { concurrent: true },
  () => {
    const refuses = async ({ started, serve, expectRefused }: Place, around?: string[]) => {
      const first = await started(around)
      expect(await first.award('one')).toBe(200)
      await expectRefused(await serve(around))
      expect(await first.award('one')).toBe(409)
      expect(await first.balance()).toBe(100)
      expect(first.output()).not.toContain('Warning')
    }

    test('ends with 1 and names the folder; the first is not disturbed', ({ place }) =>
      refuses(place))

    test('does so in namespaces where both are process 1', async ({ place, skip }) => {
      if (!namespace) return skip('unshare is not permitted here')
      await refuses(place, namespace)
    })

    test('does so while the first is stopped and answers nothing', async ({
      place: { started, serve, expectRefused },
    }) => {
      const first = await started()
      process.kill(first.pid, 'SIGSTOP')
      await expectRefused(await serve())
      process.kill(first.pid, 'SIGCONT')
      expect(await first.award('one')).toBe(200)
    })

    test('waits for the first to end, and has all that it acknowledged', async ({
      place: { started, serve },
    }) => {
      const first = await started()
      const second = await serve()
      await second.until('DATA_DIR is in use')
      expect(await first.award('one')).toBe(200)
      expect(await first.end('SIGTERM')).toBe(0)
      await second.until('Ctrl-C')
      expect(await second.award('one')).toBe(409)
      expect(await second.balance()).toBe(100)
    })

    test('ends at once with 0 when it is stopped while it waits', async ({
      place: { started, serve, refusal },
    }) => {
      await started()
      const second = await serve()
      await second.until('DATA_DIR is in use')
      expect(await second.end('SIGTERM')).toBe(0)
      expect(second.output()).not.toContain(refusal)
    })

    test('starts after kill -9 of the first', async ({ place: { started } }) => {
      const first = await started(namespace)
      expect(await first.award('one')).toBe(200)
      await first.end('SIGKILL')
      const second = await started(namespace)
      expect(await second.award('one')).toBe(409)
    })
  },
)

describe.skipIf(onPostgres)('the file of the lock', { concurrent: true }, () => {
  const newFolder = ({ dataDir }: Place) => {
    const at = (...names: string[]) => join(dataDir, 'new', ...names)
    return { at, lock: () => lockDataDir(at(), { waitMs: 0 }) }
  }

  test('is empty, private and alone while it is locked, also by this process, and stays', async ({
    place,
  }) => {
    const { at, lock } = newFolder(place)
    for (let i = 0; i < 2; i++) {
      const unlock = await lock()
      await expect(lock()).rejects.toThrow('is in use')
      // What has failed to lock it must not have ended the lock. Waiting for it takes ten seconds.
      if (i === 0) expect(await place.run(['src/cli/audit.ts'], { DATA_DIR: at() }).exited).toBe(1)
      expect(readdirSync(at())).toEqual(['data.lock'])
      const { mode, size } = statSync(at('data.lock'))
      expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: 0 })
      unlock()
      unlock()
    }
    expect(readdirSync(at())).toEqual(['data.lock'])
  })

  test.for([
    ['has content', (path: string) => writeFileSync(path, 'not a database'.repeat(50))],
    ['is a folder', (path: string) => mkdirSync(path)],
  ] as const)('is refused with its name if it %s', async ([, make], { place }) => {
    const { at, lock } = newFolder(place)
    mkdirSync(at())
    make(at('data.lock'))
    await expect(lock()).rejects.toThrow(DataDirLockError)
    await expect(lock()).rejects.toThrow(`${at('data.lock')} cannot be locked`)
  })
})

describe.skipIf(onPostgres)('a command that needs the folder', { concurrent: true }, () => {
  const commands = [
    'admin create a@example.com',
    'partner create Acme',
    'keys create --partner acme --environment TEST --kind SECRET',
    'check',
    'migrate',
    'migrate --status',
    'audit',
    'rotate-master-key',
    'seed',
    'restore FOLDER/some.backup',
    'move --from FOLDER --to FOLDER/other',
    'move --to FOLDER',
  ]

  test('says the same as a server while one has it, in whatever namespace', async ({ place }) => {
    const { dataDir, run, started, refusal } = place
    writeFileSync(join(dataDir, 'some.backup'), Buffer.from([0x1f, 0x8b, 0, 0, 0]))
    const first = await started(namespace)
    // Half at a time: each takes a part of this machine, and waits ten seconds for the folder.
    for (let i = 0; i < commands.length; i += 6) {
      const programs = commands.slice(i, i + 6).map((line) => {
        const args = line.replaceAll('FOLDER', dataDir).split(' ')
        return { line, program: run(['bin/tessera.js', ...args], {}, namespace) }
      })
      for (const { line, program } of programs) {
        const code = await program.exited
        expect({ line, code, output: program.output() }).toEqual({
          line,
          code: 1,
          output: expect.stringContaining(refusal),
        })
        expect(program.output()).not.toMatch(/process \d|Warning|\bat .*:\d+:\d+/)
      }
    }
    expect(await first.award('one')).toBe(200)
    expect(existsSync(join(dataDir, 'other'))).toBe(false)
  }, 300_000)

  test('backup needs no lock: the server makes it', async ({
    place: { dataDir, run, started },
  }) => {
    await started(namespace)
    const file = join(dataDir, 'one.backup')
    const backup = run(['bin/tessera.js', 'backup', file], {}, namespace)
    expect(await backup.exited, backup.output()).toBe(0)
    expect(existsSync(file)).toBe(true)
  })
})
