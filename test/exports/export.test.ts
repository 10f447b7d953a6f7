import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { expireExports, runExports } from '../../src/exports/export.jobs.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery } from '../lotteries/lottery.ts'
import { goalsOf } from '../programme/goals.ts'
import { storeEndpoint } from '../webhooks/stored.ts'
import { createWorld, type World } from '../world.ts'
import { exporting } from './exporting.ts'

const dayMs = 24 * 3_600_000
let now = new Date()
let world: World
let calls: ReturnType<typeof exporting>
let codeBatchId: string

/** Both users complete a goal with a reward of points. */
const plantGoal = async () => {
  const goals = goalsOf(world)
  const rewardIds = [await goals.reward(5)]
  await goals.plant([{ facts: ['POINTS_AWARDED'] }], { slug: 'first-points', rewardIds })
  await goals.settle()
  await world.givePoints('ann', 1)
  await goals.settle()
  await settleDueGrants(world.runtime)
}

beforeAll(async () => {
  world = await createWorld({ clock: () => now })
  calls = exporting(world)
  await storeEndpoint(world, { ...world.tenant, url: 'https://8.8.8.8/hook' })
  await world.givePoints('ann', 3)
  await world.givePoints('=ben, "the" first', 2)
  for (const userId of ['ann', 'ann', '=ben, "the" first'])
    await world.post('/v1/games/play', world.keys.public, { userId, gameType: 'NEON_WHEEL' })
  const slug = await makeCampaign(world, 'summer-sale')
  const call = callsTo(world)
  const made = await call.generate({ slug, batchSize: 3, pointsValue: 5 })
  await call.generate({ slug, batchSize: 2, pointsValue: 5 })
  codeBatchId = (await world.runtime.db.codeBatch.findFirstOrThrow({ where: { batchSize: 3 } })).id
  await call.redeem(slug, { code: made.body.data.codes[0], userId: 'ann' })
  const { slug: lotterySlug } = await makeLottery(world)
  const entry = { lotterySlug, email: 'ann@example.com', userId: 'ann', quantity: 1 }
  await world.post('/v1/lotteries/entries', world.keys.secret, entry)
  await plantGoal()
  const offer = { offerType: 'vip_play', pointsValue: 40 }
  await world.post('/v1/user-journeys/users/ann/offers', world.keys.secret, offer)
})
beforeEach(async () => {
  await world.runtime.db.dataExport.deleteMany()
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

test('users who match a filter are exported, with the same columns', async () => {
  const rowsBy = async (users: object) =>
    (await rowsOf('USERS', { filter: { users } })).map(({ externalId }) => externalId)
  const columns = Object.keys((await rowsOf('USERS'))[0])
  const [row] = await rowsOf('USERS', { filter: { users: { search: 'ann' } } })
  expect(Object.keys(row)).toEqual(columns)
  expect(await rowsBy({ search: 'ann', balance: { min: 1 } })).toEqual(['ann'])
  expect(await rowsBy({ balance: { max: -1 } })).toEqual([])
  await world.graphql(
    `mutation { createSegment(input: { name: "Players", recentPlayCount: { min: 2 } }) { __typename } }`,
  )
  expect(await rowsBy({ segment: { name: 'Players' } })).toEqual(['ann'])
  expect(
    await calls.start('USERS', { filter: { users: { segment: { name: 'None' } } } }),
  ).toMatchObject({
    code: 'SEGMENT_NOT_FOUND',
  })
  expect(await calls.start('PLAYS', { filter: { users: {} } })).toMatchObject({
    errors: [{ path: ['filter', 'users'] }],
  })
})

const fetchText = async (url: string, headers = {}) => {
  const response = await fetch(calls.here(url), { headers })
  return { response, text: await response.text() }
}

const made = async (what: string, more: object = {}) => {
  const { export: started } = await calls.start(what, more)
  await runExports(world.runtime)
  return calls.read(started.id)
}

const rowsOf = async (what: string, more: object = {}) => {
  const { url, rowCount } = await made(what, more)
  const { text } = await fetchText(url)
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(rowCount).toBe(rows.length)
  return rows
}

describe('a file', () => {
  test.each([
    ['LEDGER', 'ledgerEntry'],
    ['USERS', 'endUser'],
    ['PLAYS', 'play'],
    ['TICKETS', 'lotteryTicket'],
    ['DELIVERIES', 'webhookDelivery'],
    ['COMPLETIONS', 'goalCompletion'],
    ['GRANTS', 'rewardGrant'],
    ['OFFERS', 'offer'],
  ] as const)('of %s has each row of the environment once', async (what, model) => {
    const rows = await rowsOf(what)
    const stored = await (world.runtime.db[model] as typeof world.runtime.db.play).findMany({
      where: world.tenant,
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort())
  })

  test('of plays contains the game version of each play', async () => {
    const [play] = await rowsOf('PLAYS')
    expect(play).toMatchObject({ gameType: 'NEON_WHEEL', gameVersion: 1 })
  })

  test('of completions and grants says which goal and reward, and whose they are', async () => {
    const isOfAnn = ({ externalId }: { externalId: string }) => externalId === 'ann'
    const completion = (await rowsOf('COMPLETIONS')).find(isOfAnn)
    expect(completion).toMatchObject({
      externalId: 'ann',
      goalSlug: 'first-points',
      windowStart: '1970-01-01',
      number: 1,
      round: 1,
      completedAt: now.toISOString(),
      revokedAt: null,
    })
    const grant = (await rowsOf('GRANTS')).find(isOfAnn)
    const { goalId, id: completionId } = completion
    const pays = { rewardKind: 'POINTS', points: 5, status: 'ISSUED', source: 'GOAL' }
    expect(grant).toMatchObject({ externalId: 'ann', goalId, completionId, ...pays, note: null })
    expect(await rowsOf('COMPLETIONS', { filter: { createdAt: { to: now } } })).toEqual([])
    expect(await rowsOf('GRANTS', { filter: { createdAt: { from: now } } })).toHaveLength(2)
  })

  test('of offers says whose they are, what they are worth, and when they were claimed', async () => {
    const claim = { externalId: 'ann', offerType: 'VIP_PLAY', points: 40, creditsPoints: true }
    expect(await rowsOf('OFFERS')).toEqual([
      expect.objectContaining({ ...claim, status: 'ACTIVE', claimedAt: null, batchId: null }),
    ])
  })

  test('of codes has those of the batch, and no text of a code', async () => {
    const rows = await rowsOf('CODES', { filter: { codeBatchId } })
    expect(rows).toHaveLength(3)
    expect(rows.filter(({ isRedeemed }) => isRedeemed)).toMatchObject([{ externalId: 'ann' }])
    for (const { ending } of rows) expect(ending).toMatch(/^[A-Z2-9]{4}$/)
    expect(JSON.stringify(rows)).not.toContain('SUMM-')
  })

  test('has only the rows of its period', async () => {
    const tomorrow = new Date(now.getTime() + dayMs)
    expect(await rowsOf('LEDGER', { filter: { createdAt: { from: tomorrow } } })).toEqual([])
    const until = await rowsOf('LEDGER', { filter: { createdAt: { to: tomorrow } } })
    expect(until.length).toBeGreaterThan(0)
  })

  test('in CSV has a header and quotes, and contains no formulas', async () => {
    const { url } = await made('USERS', { format: 'CSV' })
    const { response, text } = await fetchText(url, { 'accept-encoding': 'identity' })
    const [header, ...lines] = text.trimEnd().split('\r\n')
    expect(header).toMatch(/^id,externalId,displayName,email,balance,/)
    expect(lines).toHaveLength(await world.runtime.db.endUser.count({ where: world.tenant }))
    expect(text).toContain(`,"'=ben, ""the"" first",`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="users-test-[\d-]{10}\.csv"$/,
    )
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('has the same text when compressed, and the right length', async () => {
    const { url, byteCount } = await made('LEDGER')
    const plain = await fetchText(url, { 'accept-encoding': 'identity' })
    expect(plain.response.headers.get('content-encoding')).toBeNull()
    expect(Number(plain.response.headers.get('content-length'))).toBe(byteCount)
    expect(Buffer.byteLength(plain.text)).toBe(byteCount)
    const { response, text } = await fetchText(url, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(text).toBe(plain.text)
  })

  test('has a byte order mark for spreadsheets if it is asked for, in CSV alone', async () => {
    const csv = await made('USERS', { format: 'CSV' })
    const bytesOf = async (url: string, encoding: string) => {
      const response = await fetch(calls.here(url), { headers: { 'accept-encoding': encoding } })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const plain = await bytesOf(csv.url, 'gzip')
    for (const encoding of ['gzip', 'identity']) {
      const { response, bytes } = await bytesOf(`${csv.url}&bom=1`, encoding)
      expect(bytes).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain.bytes]))
      expect(response.headers.get('content-length')).toBe(String(csv.byteCount + 3))
    }
    const { url } = await made('USERS')
    expect((await bytesOf(`${url}&bom=1`, 'identity')).bytes[0]).toBe('{'.charCodeAt(0))
  })

  test('without rows is empty in JSONL, and has a header in CSV', async () => {
    const filter = { createdAt: { to: new Date(0) } }
    const empty = await made('LEDGER', { filter })
    for (const encoding of ['gzip', 'identity'])
      expect((await fetchText(empty.url, { 'accept-encoding': encoding })).text).toBe('')
    const { url } = await made('LEDGER', { filter, format: 'CSV' })
    expect((await fetchText(url)).text).toMatch(/^id,externalId,.*,createdAt\r\n$/)
  })
})

describe('a link', () => {
  test('that was changed is refused with 403', async () => {
    const { url } = await made('USERS')
    const other = (await made('PLAYS')).url
    const [path, query] = [url.split('?')[0], other.split('?')[1]]
    for (const wrong of [
      `${path}?${query}`,
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/signature=./, 'signature=x'),
      `${path}?expires=1&expires=2&signature=a&signature=b`,
      `${path}`,
      url.replace(/exports\/[^?]+/, 'exports/x'),
    ]) {
      const { response, text } = await fetchText(wrong)
      expect([response.status, JSON.parse(text).errorCode]).toEqual([403, 'EXPORT_LINK_INVALID'])
    }
  })

  test('is gone after a day, and so is the file', async () => {
    const { id, url, expiresAt } = await made('USERS')
    expect(new Date(expiresAt).getTime()).toBe(now.getTime() + dayMs)
    const before = now
    now = new Date(now.getTime() + dayMs)
    try {
      expect(await calls.read(id)).toMatchObject({ status: 'EXPIRED', url: null })
      expect((await fetchText(url)).response.status).toBe(410)
      await expireExports(world.runtime)
      expect(await world.runtime.db.exportChunk.count()).toBe(0)
      expect(await calls.read(id)).toMatchObject({ status: 'EXPIRED' })
    } finally {
      now = before
    }
  })
})

describe('starting', () => {
  test('requires a batch of the same environment for codes, and none for other kinds', async () => {
    const other = await world.createPartner()
    const of = (by?: Parameters<World['graphql']>[2]) =>
      calls.start('CODES', { filter: { codeBatchId } }, by)
    for (const by of [world.partner.live, other.test])
      expect(await of(by)).toMatchObject({ code: 'CODE_BATCH_NOT_FOUND' })
    const path = { errors: [{ path: ['filter', 'codeBatchId'] }] }
    expect(await calls.start('CODES')).toMatchObject(path)
    expect(await calls.start('USERS', { filter: { codeBatchId } })).toMatchObject(path)
  })

  test('is limited to five open exports per environment, however they are started', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => calls.start('USERS')))
    expect(answers.filter((answer) => answer.export)).toHaveLength(5)
    expect(answers.find(({ code }) => code)).toMatchObject({
      code: 'EXPORT_LIMIT_REACHED',
      limit: 5,
      current: 5,
    })
    expect(await calls.start('USERS', {}, world.partner.live)).toHaveProperty('export')
  })

  test('is not allowed with a public key', async () => {
    const by = { public: world.keys.public }
    await expect(calls.start('USERS', {}, by)).rejects.toThrow('MISSING_API_SECRET')
  })
})

test('an export belongs to its environment', async () => {
  const { id } = await made('USERS')
  const { live } = world.partner
  const foreign = (await world.createPartner()).test
  for (const by of [live, foreign]) {
    expect(await calls.read(id, by)).toBeNull()
    expect(await calls.cancel(id, by)).toMatchObject({ code: 'EXPORT_NOT_FOUND' })
    const list = await world.graphql('{ exports { nodes { id } } }', {}, by)
    expect(list.body.data.exports.nodes).toEqual([])
  }
  const list = await world.graphql('{ exports { nodes { id } } }')
  expect(list.body.data.exports.nodes).toEqual([{ id }])
})

test('a cancelled export has no file and is not continued', async () => {
  const { export: started } = await calls.start('USERS')
  expect((await calls.cancel(started.id)).export).toMatchObject({ status: 'CANCELLED' })
  await runExports(world.runtime)
  expect(await calls.read(started.id)).toMatchObject({ status: 'CANCELLED', url: null })
  expect(await calls.cancel(started.id)).toMatchObject({
    code: 'EXPORT_ENDED',
    status: 'CANCELLED',
  })
})

test('progress is followed to the end', async () => {
  const { export: started } = await calls.start('USERS')
  const response = await fetch(`${world.base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-api-secret': world.keys.secret,
    },
    body: JSON.stringify({
      query: 'subscription ($id: ID!) { exportChanged(exportId: $id) { status rowCount } }',
      variables: { id: started.id },
    }),
  })
  await runExports(world.runtime)
  const text = await response.text()
  const seen = [...text.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
  expect([seen[0], seen.at(-1)]).toEqual(['QUEUED', 'COMPLETED'])
})

test('a failure ends an export, and others continue', async () => {
  const [bad, good] = [await calls.start('TICKETS'), await calls.start('USERS')]
  await world.runtime.db.dataExport.update({
    where: { id: bad.export.uuid },
    data: { place: ['no id', 1] },
  })
  await runExports(world.runtime)
  expect(await calls.read(bad.export.id)).toMatchObject({ status: 'FAILED', url: null })
  expect(await calls.read(good.export.id)).toMatchObject({ status: 'COMPLETED' })
})
