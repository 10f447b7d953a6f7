/** Points by hand: what a caller gets, and what is left behind. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { movePoints } from '../../src/points/wallet.ts'
import { createWorld, type World } from '../world.ts'
import { pointsByHand } from './by-hand.ts'

let world: World
let hand: ReturnType<typeof pointsByHand>
beforeAll(async () => {
  world = await createWorld()
  hand = pointsByHand(world)
})
afterEach(async () => expect(await audit(world.server.database.pool)).toBe(0))
afterAll(() => world.end())

const newUser = async (awards = 1) => {
  const userId = randomUUID()
  await world.givePoints(userId, awards)
  return userId
}

const readUser = async (externalId: string) =>
  world.runtime.db.endUser.findFirstOrThrow({ where: { ...world.tenant, externalId } })

const newestEntry = async (userId: string) => (await hand.history(userId))[0]

describe('an adjustment', () => {
  test('adds points that count as earned', async () => {
    const userId = await newUser()
    const answer = await hand.adjust(userId, 40, { reason: 'lost award', reference: 'case-1' })
    expect(answer).toMatchObject({
      __typename: 'AdjustPointsPayload',
      ledgerEntry: {
        eventType: 'adjustment',
        points: 40,
        balanceAfter: 140,
        reference: 'case-1',
        correction: { reason: 'lost award', reverses: null },
        reversal: null,
      },
      user: { balance: 140, lifetimePoints: 140, score: 140 },
    })
  })

  test('takes points that stay earned', async () => {
    const userId = await newUser()
    expect(await hand.adjust(userId, -100)).toMatchObject({
      ledgerEntry: { points: -100, balanceAfter: 0 },
      user: { balance: 0, lifetimePoints: 100, score: 100 },
    })
  })

  test('is on the timeline, and is announced without the reason', async () => {
    const userId = await newUser()
    const { ledgerEntry } = await hand.adjust(userId, -5, { reason: 'a secret reason' })
    const event = await world.runtime.db.event.findUniqueOrThrow({
      where: { id: ledgerEntry.uuid },
    })
    expect(event).toMatchObject({
      type: 'points.adjusted',
      data: { ledgerId: ledgerEntry.uuid, userId, points: -5, userBalance: 95 },
    })
    expect(JSON.stringify(event.data)).not.toContain('secret')
    const activity = await world.runtime.db.userActivity.findUniqueOrThrow({
      where: { id: ledgerEntry.uuid },
    })
    expect(activity).toMatchObject({
      category: 'POINTS',
      eventType: 'adjustment',
      points: -5,
      earned: 0,
    })
  })

  test('that would overdraw is refused, with the balance', async () => {
    const userId = await newUser()
    expect(await hand.adjust(userId, -101)).toEqual({
      __typename: 'InsufficientPointsError',
      code: 'INSUFFICIENT_POINTS',
      balance: 100,
      price: 101,
    })
    expect(await hand.history(userId)).toHaveLength(1)
  })

  test('with a reference that was used answers with the first entry', async () => {
    const [ann, ben] = [await newUser(), await newUser()]
    const reference = randomUUID()
    const first = await hand.adjust(ann, 1, { reference })
    for (const userId of [ann, ben])
      expect(await hand.adjust(userId, 2, { reference })).toMatchObject({
        __typename: 'DuplicateReferenceError',
        firstEntry: { uuid: first.ledgerEntry.uuid },
      })
  })

  test('of an unknown user creates nobody', async () => {
    const userId = randomUUID()
    expect(await hand.adjust(userId, 5)).toMatchObject({ code: 'USER_NOT_FOUND' })
    expect(await hand.adjust(userId, 5, {}, world.partner.live)).toMatchObject({
      code: 'USER_NOT_FOUND',
    })
    expect(await world.runtime.db.endUser.count({ where: { externalId: userId } })).toBe(0)
  })

  test.each([
    ['no points', { points: 0 }, 'points'],
    ['points beyond the largest movement', { points: 2_147_483_648 }, undefined],
    ['no reason', { reason: '' }, 'reason'],
    ['a blank reason', { reason: ' ' }, 'reason'],
    ['a reason that is too long', { reason: 'x'.repeat(501) }, 'reason'],
    ['a reason that cannot be stored', { reason: 'a\0' }, 'reason'],
  ])('with %s is refused', async (_, more, path) => {
    const input = { user: { externalId: 'x' }, points: 1, reason: 'x', ...more }
    const answer = await world.graphql(
      `mutation ($input: AdjustPointsInput!) { adjustPoints(input: $input) {
        ... on ValidationError { errors { path } } } }`,
      { input },
    )
    expect(answer.status).toBeLessThan(500)
    if (path) expect(answer.body.data.adjustPoints.errors).toEqual([{ path: [path] }])
    else expect(answer.body.errors[0].extensions.code).toBe('INVALID_PARAMETERS')
  })
})

describe('a reversal', () => {
  test('of an award takes it back, also from what was earned', async () => {
    const userId = await newUser(2)
    const award = await newestEntry(userId)
    expect(await hand.reverse(award.uuid, 'a mistake')).toMatchObject({
      ledgerEntry: {
        eventType: 'reversal',
        points: -100,
        balanceAfter: 100,
        sourceId: award.uuid,
        correction: { reason: 'a mistake', reverses: { uuid: award.uuid } },
      },
      user: { balance: 100, lifetimePoints: 100, score: 100 },
    })
    const [reversal, reversed] = await hand.history(userId)
    expect(reversed).toMatchObject({ uuid: award.uuid, reversal: { uuid: reversal.uuid } })
  })

  test('of a payment returns it, and nothing counts as earned twice', async () => {
    const userId = await newUser()
    await world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' })
    const before = await readUser(userId)
    const paid = (await hand.history(userId)).find(
      ({ eventType }: { eventType: string }) => eventType === 'game_play',
    )
    const { user } = await hand.reverse(paid?.uuid as string)
    expect(user).toMatchObject({
      balance: Number(before.balance) - (paid?.points ?? 0),
      lifetimePoints: Number(before.lifetimePoints),
    })
    expect((await readUser(userId)).gamesPlayed).toBe(1)
  })

  test('happens once; a second one answers with the first', async () => {
    const userId = await newUser(3)
    const award = await newestEntry(userId)
    const first = await hand.reverse(award.uuid)
    expect(await hand.reverse(encodeNodeId('LedgerEntry', award.uuid))).toEqual({
      __typename: 'AlreadyReversedError',
      code: 'LEDGER_ENTRY_REVERSED',
      reversal: { uuid: first.ledgerEntry.uuid },
    })
  })

  test('of points that are spent is refused', async () => {
    const userId = await newUser()
    const award = await newestEntry(userId)
    await hand.adjust(userId, -1)
    expect(await hand.reverse(award.uuid)).toMatchObject({
      code: 'INSUFFICIENT_POINTS',
      balance: 99,
      price: 100,
    })
  })

  test('of a reversal, or of points of a prize pool or an agent, is refused', async () => {
    const userId = await newUser(2)
    const award = await newestEntry(userId)
    const { ledgerEntry } = await hand.reverse(award.uuid)
    expect([award.isReversible, ledgerEntry.isReversible]).toEqual([true, false])
    const refused = { code: 'LEDGER_ENTRY_NOT_REVERSIBLE' }
    expect(await hand.reverse(ledgerEntry.uuid)).toMatchObject(refused)
    const paid = { ...world.userKey(userId), points: -1, eventType: 'agent_support' }
    const [moved] = await movePoints(world.runtime, [
      { ...paid, account: `agent:${randomUUID()}`, sourceId: '1' },
    ])
    if (!moved || moved instanceof Error) throw moved
    expect(await hand.reverse(moved.ledgerId)).toMatchObject(refused)
    expect(await newestEntry(userId)).toMatchObject({ uuid: moved.ledgerId, isReversible: false })
  })

  test('of the entry of another environment or partner is not found', async () => {
    const userId = await newUser()
    const { uuid } = await newestEntry(userId)
    const other = await world.createPartner()
    for (const by of [world.partner.live, other.test, other.live])
      expect(await hand.reverse(uuid, 'x', by)).toEqual({
        __typename: 'NotFoundError',
        code: 'LEDGER_ENTRY_NOT_FOUND',
        resource: 'LEDGER_ENTRY',
      })
    expect(await hand.reverse(randomUUID())).toMatchObject({ code: 'LEDGER_ENTRY_NOT_FOUND' })
  })

  test('and an adjustment lower the points issued, in their own hour, and leave the points spent', async () => {
    const partner = await world.createPartner()
    await world.givePoints('ann', 2, 'signup', partner.test.secret)
    const [award] = await hand.history('ann', partner.test)
    await hand.reverse(award.uuid, 'x', partner.test)
    await hand.adjust('ann', -30, {}, partner.test)
    const { body } = await world.graphql(
      `query ($from: DateTime!, $to: DateTime!) {
        analytics(metrics: [POINTS_ISSUED, POINTS_SPENT], from: $from, to: $to, interval: HOUR) {
          total } }`,
      { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) },
      partner.test,
    )
    expect(body.data.analytics).toEqual([{ total: 70 }, { total: 0 }])
  })
})

describe('who made an entry', () => {
  const actorOf = async (uuid: string, by: Parameters<World['graphql']>[2]) => {
    const { body } = await world.graphql(
      `query ($id: ID!) { node(id: $id) { ... on LedgerEntry { correction { actorId
        actor { __typename ... on Member { email } ... on ApiKey { kind } } } } } }`,
      { id: encodeNodeId('LedgerEntry', uuid) },
      by,
    )
    return body.data.node.correction
  }

  test('is the key of a backend', async () => {
    const { ledgerEntry } = await hand.adjust(await newUser(), 1)
    const { actor, actorId } = await actorOf(ledgerEntry.uuid, world.keys)
    expect(actor).toEqual({ __typename: 'ApiKey', kind: 'SECRET' })
    expect(actorId).toMatch(/^QXBpS2V5/)
  })

  test('is a member, who is shown to members while they are one', async () => {
    const [token, colleague] = [
      await world.signInAs('OWNER'),
      await world.signInAs('OWNER'),
    ] as const
    const { ledgerEntry } = await hand.adjust(await newUser(), 1, {}, { bearer: token })
    const { actor, actorId } = await actorOf(ledgerEntry.uuid, { bearer: colleague })
    expect(actor).toEqual({ __typename: 'Member', email: expect.stringContaining('@') })
    expect(await actorOf(ledgerEntry.uuid, world.keys)).toEqual({ actor: null, actorId })
    await world.graphql(
      `mutation { deleteMember(input: { memberId: "${actorId}" }) { __typename } }`,
      {},
      { bearer: colleague },
    )
    expect(await actorOf(ledgerEntry.uuid, { bearer: colleague })).toEqual({ actor: null, actorId })
  })

  test('is kept, and so is the reason until the user is erased', async () => {
    const userId = await newUser()
    const { ledgerEntry } = await hand.adjust(userId, 1, { reason: `to ${userId}` })
    const query = (text: string) => world.server.database.pool.query({ text })
    for (const change of [
      "UPDATE ledger_correction SET reason = 'another'",
      'UPDATE ledger_correction SET reason = NULL, api_key_id = gen_random_uuid()',
      'DELETE FROM ledger_correction',
      'TRUNCATE ledger_correction',
    ])
      await expect(query(change)).rejects.toMatchObject({ code: '23001' })
    await world.graphql(
      `mutation { eraseUser(input: { user: { externalId: "${userId}" } }) { __typename } }`,
    )
    const kept = await world.runtime.db.ledgerCorrection.findUniqueOrThrow({
      where: { entryId: ledgerEntry.uuid },
    })
    expect(kept).toMatchObject({ reason: null, apiKeyId: expect.any(String) })
  })

  test('is nobody without a secret key', async () => {
    const answer = await hand.send('adjustPoints', {}, { public: world.keys.public })
    expect(answer.errors[0].extensions.code).toBe('MISSING_API_SECRET')
  })
})
