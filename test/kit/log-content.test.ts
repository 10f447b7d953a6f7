/**
 * Errors of the database in the log: what went wrong, and nothing of the rows that it was about. Neighbours that were
 * looked for: violations of unique keys, checks, nulls and foreign keys, by the client, raw statements, the driver and
 * connections; values that cannot be read; and errors in functions.
 */
import { Writable } from 'node:stream'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { queryRaw } from '../../src/kit/database/driver.ts'
import { createLog } from '../../src/kit/observability/log.ts'
import { createWorld, type World } from '../world.ts'

/** In every value that is written, and never in the log. */
const mark = 'm4rk'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** What the log of a production server writes. */
const logged = (err: unknown): { text: string; line: Record<string, unknown> } => {
  let text = ''
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk)
      done()
    },
  })
  createLog({ production: true, logLevel: 'info' }, stream).error({ err }, 'it failed')
  return { text, line: JSON.parse(text) }
}

const row = () => {
  const { partnerId, environment } = world.tenant
  const now = new Date()
  return {
    id: uuid(),
    partnerId,
    environment,
    externalId: `${mark}-user`,
    email: `${mark}@x.example`,
    displayName: `${mark} name`,
    scoreReachedAt: now,
    createdAt: now,
  }
}

const insert = (balance: string, externalId = `${mark}-user`) => Prisma.sql`
  INSERT INTO end_user (id, partner_id, environment, external_id, email, score_reached_at, balance)
  VALUES (${uuid()}::uuid, ${world.partner.partnerId}::uuid, 'TEST', ${externalId}, ${`${mark}@x.example`}, now(),
    ${Prisma.raw(balance)})`

const plain = (text: string, values: unknown[] = []) =>
  world.server.database.pool.query({ text, values })

const failures: Record<string, () => Promise<unknown>> = {
  'a unique violation of the client': () => world.runtime.db.endUser.create({ data: row() }),
  'a unique violation of a raw statement': () => world.runtime.db.$executeRaw(insert('0')),
  'a unique violation of the driver': () => queryRaw(world.runtime.db, insert('0')),
  'a unique violation of a connection': () =>
    plain(
      `INSERT INTO end_user (id, partner_id, environment, external_id, score_reached_at)
       VALUES ($1, $2, 'TEST', '${mark}-user', now())`,
      [uuid(), world.partner.partnerId],
    ),
  'a CHECK violation of the client': () =>
    world.runtime.db.endUser.update({
      where: {
        partnerId_environment_externalId: {
          ...world.tenant,
          externalId: `${mark}-user`,
        },
      },
      data: { balance: -1 },
    }),
  'a CHECK violation of a raw statement': () =>
    world.runtime.db.$executeRaw(insert('-1', `${mark}-other`)),
  'a CHECK violation of the driver': () =>
    queryRaw(world.runtime.db, insert('-1', `${mark}-other`)),
  'a CHECK violation of a connection': () =>
    plain(`UPDATE end_user SET balance = -1 WHERE external_id = '${mark}-user'`),
  'a null where none may be': () =>
    plain(`UPDATE end_user SET score_reached_at = NULL WHERE external_id = '${mark}-user'`),
  'a foreign key violation': () =>
    plain(
      `INSERT INTO user_profile (user_id, partner_id, environment, phone) VALUES ($1, $1, 'TEST', '${mark}')`,
      [uuid()],
    ),
  'a text that is no number': () => plain('SELECT $1::text::int', [`${mark} 12`]),
  'a text that is no JSON': () => plain('SELECT $1::text::json', [`{"email": ${mark}}`]),
  'a text that is no time': () => plain('SELECT $1::text::timestamptz', [`2026-${mark}`]),
  'a text that is no enum value, of the client': () =>
    world.runtime.db.endUser.findMany({ where: { environment: `${mark}` as 'TEST' } }),
  'a value of the wrong type, of the client': () =>
    world.runtime.db.endUser.create({
      data: { ...row(), balance: `${mark}` as unknown as bigint },
    }),
  'a field that does not exist, of the client': () =>
    world.runtime.db.endUser.create({ data: { ...row(), [`other`]: `${mark}` } as never }),
  'an error in a function': () => plain(`DO $$ BEGIN PERFORM '${mark}'::text::int; END $$`),
}

describe('the log has nothing of the row after', () => {
  beforeAll(async () => {
    await world.runtime.db.endUser.create({ data: row() })
  })

  test.each(Object.entries(failures))('%s', async (_, fail) => {
    const error = await fail().then(
      () => undefined,
      (err: unknown) => err,
    )
    expect(error).toBeInstanceOf(Error)
    for (const wrapped of [
      error,
      new Error('it failed', { cause: error }),
      new AggregateError([error], 'many failed'),
    ]) {
      const { text, line } = logged(wrapped)
      expect(text).not.toContain(mark)
      expect(line.err).toMatchObject({
        type: expect.any(String),
        stack: expect.stringContaining('at '),
      })
    }
  })
})

test('the log says which error it was, and of which table and constraint', async () => {
  const error = await failures['a unique violation of a connection']?.().catch((err) => err)
  const { line } = logged(error)
  expect(line.err).toMatchObject({
    errorCode: '23505',
    table: 'end_user',
    severity: 'ERROR',
    constraint: 'end_user_partner_id_environment_external_id_key',
    message: expect.stringContaining('duplicate key value violates unique constraint'),
  })
})

test('other errors are logged whole, with their causes', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
  })
  const { line } = logged(new TypeError('fetch failed: "https://x.example"', { cause }))
  expect(line.err).toMatchObject({
    ...{ type: 'TypeError', message: 'fetch failed: "https://x.example"' },
    cause: { message: 'connect ECONNREFUSED 127.0.0.1:1', errorCode: 'ECONNREFUSED' },
  })
})
