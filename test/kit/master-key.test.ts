import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSessionToken, sessionTokenOf } from '../../src/arena/sessions/session.ts'
import { openPepper } from '../../src/kit/access/pepper.ts'
import { ConfigError } from '../../src/kit/config/config.ts'
import type { MasterKey, MasterKeys } from '../../src/kit/security/seal.ts'
import { countOutdatedTokens } from '../../src/master-key-rotation.ts'
import { createDatabase, createWorld, type TestDatabase, type World } from '../world.ts'

const key = (version: number, text = `key ${version} `.repeat(10)): MasterKey => ({ version, text })
const [first, second] = [key(1), key(2)]

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** Starts a server on the database with these keys, and ends it. */
const withKeys = async <T>(masterKeys: MasterKeys, use: (world: World) => Promise<T>) => {
  const world = await createWorld({ database, config: { masterKeys } })
  try {
    return await use(world)
  } finally {
    await world.end()
  }
}

const versionsOf = async ({ runtime }: World) =>
  (await runtime.db.masterKeyVersion.findMany({ orderBy: { version: 'asc' } })).map(
    ({ version }) => version,
  )

test('a master key that does not match the database is detected at the start', async () => {
  await withKeys([first], async (world) => {
    const { db, clock, keys } = world.runtime
    const { pepper } = keys
    const start = (...set: MasterKey[]) => openPepper(db, clock, set as unknown as MasterKeys)
    const other = 'another key '.repeat(4)
    await expect(start(key(1, other))).rejects.toThrow('MASTER_KEY: not the key that this database')
    await expect(start(second)).rejects.toThrow('must have version 1 too')
    expect(await start(first, second)).toBe(pepper)
    expect(await versionsOf(world)).toEqual([1])
    expect(await start(second, first)).toBe(pepper)
    expect(await versionsOf(world)).toEqual([1, 2])
    await expect(start(first)).rejects.toThrow('must have version 2 too')
    await expect(start(key(2, other), first)).rejects.toThrow(
      'MASTER_KEYS: version 2 is not the key',
    )
  })
  await expect(withKeys([first], async () => {})).rejects.toThrow(ConfigError)
})

test('processes that start at the same time on a new database agree', async () => {
  await withKeys([second, first], async ({ runtime: { db, clock } }) => {
    await db.masterKeyVersion.deleteMany()
    const orders: MasterKeys[] = [
      [first, second],
      [second, first],
    ]
    const peppers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => openPepper(db, clock, orders[i % 2] as MasterKeys)),
    )
    expect(new Set(peppers).size).toBe(1)
    await db.masterKeyVersion.deleteMany()
  })
})

test('tokens of any version are valid; new ones use the first', async () => {
  const me = (world: World, token: string) => world.get('/dashboard/auth/me', token)
  const [email, password] = ['ann@example.com', 'correct horse battery']
  const bearer = await withKeys([first], async (world) => {
    const admin = await world.signInAs('OPERATOR')
    const made = await world.post('/dashboard/members', admin, {
      email,
      password,
      role: 'DEVELOPER',
    })
    expect(made.status).toBe(200)
    return (await world.post('/dashboard/auth/login', undefined, { email, password })).body.data
  })
  const next = await withKeys([second, first], async (world) => {
    expect((await me(world, bearer.accessToken)).status).toBe(200)
    // One of the administrator, and one of Ann until she gets a token of version 2.
    const before = await countOutdatedTokens(world.runtime)
    expect(before).toMatchObject({ signIns: 2, sessions: 0 })
    expect(Number(before.lastEndsAt)).toBeGreaterThan(Date.now() + 29 * 24 * 3600 * 1000)
    const { refreshToken } = bearer
    const answer = await world.post('/dashboard/auth/refresh', undefined, { refreshToken })
    expect(answer.status).toBe(200)
    expect((await countOutdatedTokens(world.runtime)).signIns).toBe(1)
    await world.runtime.db.masterKeyVersion.delete({ where: { version: 1 } })
    return answer.body.data
  })
  await withKeys([second], async (world) => {
    expect((await me(world, next.accessToken)).status).toBe(200)
    expect((await me(world, bearer.accessToken)).status).toBe(401)
    const { refreshToken } = next
    expect((await world.post('/dashboard/auth/refresh', undefined, { refreshToken })).status).toBe(
      200,
    )
  })
})

test('a token of an arena session is valid under any configured version', () => {
  const [sessionId, playerId] = [uuid(), uuid()]
  const token = sessionTokenOf({ master: [first] }, sessionId, playerId)
  const read = (...master: [MasterKey, ...MasterKey[]]) =>
    readSessionToken({ master }, sessionId, token)
  expect([read(first), read(second, first), read(second)]).toEqual([playerId, playerId, null])
  expect(sessionTokenOf({ master: [second, first] }, sessionId, playerId)).not.toBe(token)
})
