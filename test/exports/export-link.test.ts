/**
 * How links to exports end, and how exports are withdrawn. Neighbours that were looked for: each way in which a key,
 * an application, a partner or a member loses the right; an unknown starter; and exports that are being made, followed
 * or withdrawn.
 */
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expireExports, runExports } from '../../src/exports/export.jobs.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'
import { exporting } from './exporting.ts'

type By = Parameters<World['graphql']>[2]

/** Two nodes on a server; the embedded database has one. */
let database: TestDatabase
let nodes: World[]
const now = new Date()
beforeAll(async () => {
  database = await createDatabase()
  nodes = []
  for (let n = 0; n < (onPostgres ? 2 : 1); n++)
    nodes.push(await createWorld({ database, clock: () => now }))
})
afterAll(async () => {
  for (const node of nodes) await node.end()
  await database.drop()
})

/** The node that everything is asked of, and another one if there is one. */
const current = () => nodes[0] as World
const other = () => nodes.at(-1) as World

const statusOf = async (url: string) => {
  const answers = []
  for (const world of nodes) {
    const response = await fetch(exporting(world).here(url))
    const text = await response.text()
    answers.push(response.status === 200 ? 200 : [response.status, JSON.parse(text).errorCode])
  }
  return answers
}
const every = (answer: unknown) => nodes.map(() => answer)

/** A finished export of a partner of its own, started by the caller that `of` gives. */
const finished = async (
  of: (partner: Awaited<ReturnType<World['createPartner']>>) => By | Promise<By> = ({ test }) =>
    test,
) => {
  const world = current()
  const partner = await world.createPartner()
  const by = await of(partner)
  const calls = exporting(world)
  const started = await calls.start('USERS', {}, by)
  await runExports(other().runtime)
  const found = await calls.read(started.export.id, by)
  expect(await statusOf(found.url)).toEqual(every(200))
  return { ...found, by, partner, db: world.runtime.db }
}

const revoked = [410, 'EXPORT_LINK_REVOKED']

describe('a link ends when', () => {
  const keyOf = async ({ id, db }: { id: string; db: World['runtime']['db'] }, uuidOf: string) =>
    ((await db.dataExport.findUniqueOrThrow({ where: { id: uuidOf } })).apiKeyId as string) ?? id

  test.each([
    ['its key is revoked', { revokedAt: new Date() }],
    ['its key has expired', { expiresAt: new Date(Date.now() - 1000) }],
    ['its key may not export any more', { scopes: ['READ'] }],
  ])('%s', async (_, data) => {
    const made = await finished()
    await made.db.apiKey.update({ where: { id: await keyOf(made, made.uuid) }, data })
    expect(await statusOf(made.url)).toEqual(every(revoked))
  })

  test('the application of its key is not active', async () => {
    const made = await finished()
    const where = { partnerId: made.partner.partnerId }
    await made.db.application.updateMany({ where, data: { status: 'INACTIVE' } })
    expect(await statusOf(made.url)).toEqual(every(revoked))
    await made.db.application.updateMany({ where, data: { status: 'ACTIVE' } })
    expect(await statusOf(made.url)).toEqual(every(200))
  })

  test('its partner is closed, also for a member', async () => {
    for (const of of [
      undefined,
      async ({ partnerId }: { partnerId: string }) => ({
        bearer: await current().signInAs('ANALYST', partnerId),
      }),
    ]) {
      const made = await finished(of)
      const where = { id: made.partner.partnerId }
      await made.db.partner.update({ where, data: { closedAt: new Date() } })
      expect(await statusOf(made.url)).toEqual(every(revoked))
    }
  })

  test.each([
    ['its member is deleted', 'delete'],
    ['its member gets a role that may not export', 'role'],
  ])('%s', async (_, how) => {
    const made = await finished(async ({ partnerId }) => ({
      bearer: await current().signInAs('ADMIN', partnerId),
    }))
    const { memberId } = await made.db.dataExport.findUniqueOrThrow({ where: { id: made.uuid } })
    const where = { id: memberId as string }
    if (how === 'role') await made.db.member.update({ where, data: { role: 'EDITOR' } })
    else {
      await made.db.signIn.deleteMany({ where: { memberId: memberId as string } })
      await made.db.member.delete({ where })
    }
    expect(await statusOf(made.url)).toEqual(every(revoked))
    // A colleague sees that there is no link.
    const { url, status } = await exporting(current()).read(made.id, made.partner.test)
    expect([url, status]).toEqual([null, 'COMPLETED'])
  })

  test('nobody is known to have started it', async () => {
    const made = await finished()
    await made.db.dataExport.update({
      where: { id: made.uuid },
      data: { apiKeyId: null, memberId: uuid() },
    })
    expect(await statusOf(made.url)).toEqual(every(revoked))
  })
})

test('another key of the same partner does not end a link', async () => {
  const made = await finished()
  const started = await made.db.dataExport.findUniqueOrThrow({ where: { id: made.uuid } })
  await made.db.apiKey.updateMany({
    where: { partnerId: made.partner.partnerId, id: { not: started.apiKeyId as string } },
    data: { revokedAt: new Date() },
  })
  expect(await statusOf(made.url)).toEqual(every(200))
})

describe('deleteExport', () => {
  test('deletes a finished export with its file, on every node, and is audited', async () => {
    const made = await finished()
    const calls = exporting(other())
    expect(await calls.delete(made.id, made.by)).toEqual({
      __typename: 'DeleteExportPayload',
      deletedId: made.id,
      export: { id: made.id },
    })
    expect(await made.db.exportChunk.count({ where: { exportId: made.uuid } })).toBe(0)
    expect(await exporting(current()).read(made.id, made.by)).toBeNull()
    expect(await statusOf(made.url)).toEqual(every([410, 'EXPORT_LINK_EXPIRED']))
    expect(await calls.delete(made.id, made.by)).toMatchObject({ code: 'EXPORT_NOT_FOUND' })
    const actions = await made.db.auditEntry.findMany({
      where: { partnerId: made.partner.partnerId, action: 'deleteExport' },
      select: { refusal: true },
      orderBy: { id: 'asc' },
    })
    expect(actions).toEqual([{ refusal: null }])
  })

  test('stops an export that is being made, and those who follow it', async () => {
    const world = current()
    const { test: keys } = await world.createPartner()
    const calls = exporting(world)
    const { export: started } = await calls.start('USERS', {}, keys)
    const response = await fetch(`${other().base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-secret': keys.secret,
      },
      body: JSON.stringify({
        query: 'subscription ($id: ID!) { exportChanged(exportId: $id) { status } }',
        variables: { id: started.id },
      }),
    })
    await calls.delete(started.id, keys)
    expect(await response.text()).toContain('complete')
    await runExports(world.runtime)
    expect(await world.runtime.db.dataExport.count({ where: { id: started.uuid } })).toBe(0)
    expect(await world.runtime.db.exportChunk.count({ where: { exportId: started.uuid } })).toBe(0)
  })

  test('at the same time as pages are written and files expire leaves no part of a file', async () => {
    const world = current()
    const { test: keys, partnerId } = await world.createPartner()
    const calls = exporting(world)
    for (let n = 0; n < 10; n++) {
      const { export: started } = await calls.start('USERS', {}, keys)
      await Promise.all([
        runExports(world.runtime),
        exporting(other()).delete(started.id, keys),
        runExports(other().runtime),
      ])
      const again = await calls.start('USERS', {}, keys)
      await runExports(world.runtime)
      await world.runtime.db.dataExport.update({
        where: { id: again.export.uuid },
        data: { expiresAt: new Date(0) },
      })
      await Promise.all([
        expireExports(world.runtime),
        exporting(other()).delete(again.export.id, keys),
      ])
    }
    const where = { partnerId }
    expect(await world.runtime.db.dataExport.count({ where })).toBe(0)
    expect(await world.runtime.db.exportChunk.count({ where: { export: where } })).toBe(0)
  })

  test('is refused for another environment, another partner and a member without the right', async () => {
    const made = await finished()
    const world = current()
    const foreign = (await world.createPartner()).test
    for (const by of [made.partner.live, foreign])
      expect(await exporting(world).delete(made.id, by)).toMatchObject({ code: 'EXPORT_NOT_FOUND' })
    const editor = await world.signInAs('EDITOR', made.partner.partnerId)
    await expect(exporting(world).delete(made.id, { bearer: editor })).rejects.toThrow(
      'RIGHT_REQUIRED',
    )
    expect(await statusOf(made.url)).toEqual(every(200))
  })
})
