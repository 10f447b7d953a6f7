/** Blocks of users: who sees them, when they end, and what is left of them. Also the notes about users. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type Shop, shopOf } from '../programme/shop.ts'
import { createWorld, type World } from '../world.ts'
import { type Blocks, blocksOf } from './blocks.ts'

const start = new Date('2026-03-02T09:00:00Z')
let world: World
let shop: Shop
let call: Blocks
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  shop = shopOf(world)
  call = blocksOf(world)
})
beforeEach(() => {
  now = start
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const dayMs = 86_400_000
const later = (days: number) => new Date(now.getTime() + days * dayMs)

describe('a block', () => {
  it('is shown with its reason and note to backends and members only', async () => {
    const userId = await call.newUser()
    const until = later(7)
    expect(await call.block(userId, { reason: 'ABUSE', note: 'seven accounts', until })).toEqual({
      userId,
      block: {
        reason: 'ABUSE',
        note: 'seven accounts',
        blockedAt: now.toISOString(),
        until: until.toISOString(),
      },
    })
    const query = `query ($id: String!) { user(by: { externalId: $id }) {
      block { reason note blockedAt until } } }`
    const seen = { blockedAt: now.toISOString(), until: until.toISOString() }
    expect((await call.read(query, { id: userId })).user.block).toEqual({
      reason: 'ABUSE',
      note: 'seven accounts',
      ...seen,
    })
    expect(
      (await call.read(query, { id: userId }, { public: world.keys.public })).user.block,
    ).toEqual({
      reason: null,
      note: null,
      ...seen,
    })
    now = until
    expect((await call.read(query, { id: userId })).user.block).toBeNull()
  })

  it('ends by itself when its end is past', async () => {
    const userId = await call.newUser()
    await call.block(userId, { until: later(1) })
    const play = async () =>
      (await world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' }))
        .status
    now = new Date(later(1).getTime() - 1)
    expect(await play()).toBe(403)
    now = new Date(now.getTime() + 1)
    expect(await play()).toBe(200)
  })

  it('is replaced by another one, and unblocking a user who is not blocked changes nothing', async () => {
    const userId = await call.newUser()
    await call.block(userId, { until: later(1) })
    now = new Date(now.getTime() + 1000)
    await call.block(userId, { reason: 'OTHER' })
    const { id } = await call.row(userId)
    const blocks = () =>
      world.runtime.db.userBlock.findMany({ where: { userId: id }, orderBy: { blockedAt: 'asc' } })
    expect(await blocks()).toMatchObject([
      { reason: 'ABUSE', endedAt: now },
      { reason: 'OTHER', until: null, endedAt: null },
    ])
    now = new Date(now.getTime() + 1000)
    expect((await call.unblock(userId)).body.data).toEqual({ userId, block: null })
    now = new Date(now.getTime() + 1000)
    expect((await call.unblock(userId)).status).toBe(200)
    const events = await world.runtime.db.event.findMany({
      where: { type: { in: ['user.blocked', 'user.unblocked'] } },
      orderBy: { occurredAt: 'asc' },
    })
    const own = events.filter(({ data }) => (data as { userId: string }).userId === userId)
    const about = ({ type, data }: (typeof own)[number]) => [type, data]
    expect(own.map(about)).toEqual([
      [
        'user.blocked',
        {
          userId,
          reason: 'ABUSE',
          until: new Date(start.getTime() + dayMs).toISOString(),
          blockedAt: start.toISOString(),
        },
      ],
      ['user.blocked', { userId, reason: 'OTHER', blockedAt: expect.any(String) }],
      ['user.unblocked', { userId, reason: 'OTHER', unblockedAt: expect.any(String) }],
    ])
  })

  it('is written to the audit log without its note, and refuses an end that is past', async () => {
    const userId = await call.newUser()
    const bearer = await world.signInAs('EDITOR')
    const input = { user: { externalId: userId }, reason: 'FRAUD', note: 'a secret remark' }
    await shop.mutate('blockUser', 'user { id }', input, { bearer })
    await shop.mutate('unblockUser', 'user { id }', { user: { externalId: userId } }, { bearer })
    const { id } = await call.row(userId)
    const entries = await world.runtime.db.auditEntry.findMany({
      where: { targetId: id },
      orderBy: { at: 'asc' },
    })
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['blockUser', 'unblockUser'])
    expect(JSON.stringify(entries)).toContain('FRAUD')
    expect(JSON.stringify(entries)).not.toContain('a secret remark')
    const past = { ...input, until: later(-1).toISOString() }
    expect(await shop.mutate('blockUser', 'user { id }', past)).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const analyst = await world.signInAs('ANALYST')
    const { body } = await world.graphql(
      `mutation ($input: BlockUserInput!) { blockUser(input: $input) { __typename } }`,
      { input },
      { bearer: analyst },
    )
    expect(body.errors[0].extensions.code).toBe('RIGHT_REQUIRED')
  })

  it('is part of the data of a user, and loses reason, note and names when the user is erased', async () => {
    const userId = await call.newUser()
    const bearer = await world.signInAs('EDITOR')
    await call.block(userId, { reason: 'FRAUD', note: 'seven accounts' })
    const note = { user: { externalId: userId }, text: 'called twice' }
    await shop.mutate('addUserNote', 'userNote { id }', note, { bearer })
    const query = `query ($id: String!) { userData(by: { externalId: $id }) {
      blocks { reason note until endedAt } notes { text } } }`
    expect((await call.read(query, { id: userId })).userData).toEqual({
      blocks: [{ reason: 'FRAUD', note: 'seven accounts', until: null, endedAt: null }],
      notes: [{ text: 'called twice' }],
    })
    now = new Date(now.getTime() + 1000)
    await call.unblock(userId)
    await call.block(userId)
    const { id } = await call.row(userId)
    await shop.mutate('eraseUser', 'user { id }', { user: { externalId: userId } })
    const text = JSON.stringify(
      [
        await world.runtime.db.endUser.findUnique({ where: { id } }),
        await world.runtime.db.userBlock.findMany({ where: { userId: id } }),
        await world.runtime.db.userNote.findMany({ where: { userId: id } }),
        await world.runtime.db.event.findMany({ where: { type: { startsWith: 'user.' } } }),
      ],
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    )
    for (const gone of [userId, 'seven accounts', 'called twice']) expect(text).not.toContain(gone)
    expect(await world.runtime.db.userBlock.findMany({ where: { userId: id } })).toMatchObject([
      { reason: null },
      { reason: null },
    ])
  })
})

describe('lists of users', () => {
  it('are filtered by whether users are blocked now', async () => {
    const { secret } = (await world.createPartner()).test
    for (const name of ['ann', 'bob', 'cid']) await world.givePoints(name, 1, 'signup', secret)
    await call.block('ann', {}, secret)
    await call.block('bob', { until: later(1) }, secret)
    const names = async (filter: string) =>
      (
        await call.read(
          `{ users(filter: ${filter}) { nodes { externalId } totalCount { value } } }`,
          {},
          { secret },
        )
      ).users.nodes.map(({ externalId }: { externalId: string }) => externalId)
    expect(await names('{ isBlocked: true }')).toEqual(['ann', 'bob'])
    expect(await names('{ isBlocked: false }')).toEqual(['cid'])
    expect(await names('{ isBlocked: true, balance: { min: 1 } }')).toEqual(['ann', 'bob'])
    expect(await names('{ isBlocked: null }')).toEqual(['ann', 'bob', 'cid'])
    now = later(1)
    expect(await names('{ isBlocked: true }')).toEqual(['ann'])
  })
})

describe('notes about a user', () => {
  it('are written, read and deleted by members only, and audited without their text', async () => {
    const userId = await call.newUser()
    const bearer = await world.signInAs('EDITOR')
    const add = (text: string) =>
      shop.mutate(
        'addUserNote',
        'userNote { id uuid text member { email } }',
        { user: { externalId: userId }, text },
        { bearer },
      )
    const first = await add('called about a prize')
    const second = await add('called again')
    const list = `query ($id: String!) { user(by: { externalId: $id }) { notes { nodes { text } } } }`
    expect((await call.read(list, { id: userId }, { bearer })).user.notes.nodes).toEqual([
      { text: 'called again' },
      { text: 'called about a prize' },
    ])
    const { body } = await world.graphql(list, { id: userId })
    expect(body.errors?.length).toBe(1)
    const gone = await shop.mutate(
      'deleteUserNote',
      'deletedId',
      { noteId: first.userNote.id },
      { bearer },
    )
    expect(gone.deletedId).toBe(first.userNote.id)
    expect(
      await shop.mutate('deleteUserNote', 'deletedId', { noteId: first.userNote.id }, { bearer }),
    ).toMatchObject({
      code: 'USER_NOTE_NOT_FOUND',
    })
    expect((await call.read(list, { id: userId }, { bearer })).user.notes.nodes).toHaveLength(1)
    const entries = await world.runtime.db.auditEntry.findMany({
      where: { action: { in: ['addUserNote', 'deleteUserNote'] } },
    })
    expect(entries.length).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify(entries)).not.toContain('called')
    expect(second.userNote.text).toBe('called again')
  })
})
