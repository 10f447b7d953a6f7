import { createCipheriv, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAgent } from '../../src/arena/agents/agent.ts'
import { agentSecretPurpose } from '../../src/arena/agents/player.ts'
import { openPepper } from '../../src/kit/access/pepper.ts'
import {
  bindTo,
  deriveKey,
  type MasterKey,
  type MasterKeys,
  seal,
  sealHeader,
  unseal,
} from '../../src/kit/security/seal.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { masterKeyJobs, rotateMasterKey, sealedColumns } from '../../src/master-key-rotation.ts'
import { rotateWebhookSecret, secretPurpose } from '../../src/webhooks/endpoint.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { makeLottery, openDrawOf } from '../lotteries/lottery.ts'
import { startProgram } from '../server-process.ts'
import { createDatabase, createWorld, type TestDatabase, type World } from '../world.ts'

const [left, two] = [1, 2].map((version) => ({ version, text: `key ${version} `.repeat(9) })) as [
  MasterKey,
  MasterKey,
]

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

const withKeys = async <T>(masterKeys: MasterKeys, use: (world: World) => Promise<T>) => {
  const world = await createWorld({ database, config: { masterKeys } })
  try {
    return await use(world)
  } finally {
    await world.end()
  }
}

/** As values were sealed before master keys had versions. */
const sealOld = (key: string, purpose: string, text: string) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]))
}

/** Stores endpoints whose secrets are their ids; every third is sealed in the old form. */
const storeEndpoints = async ({ runtime, tenant }: World, count: number) => {
  const data = Array.from({ length: count }, (_, i) => {
    const row = { ...tenant, id: uuid() }
    const text = `whsec_${row.id}`
    const sealed = () => seal([left], bindTo(row, secretPurpose), text)
    const secret = i % 3 === 0 ? sealOld(left.text, secretPurpose, text) : sealed()
    return { ...row, url: 'https://8.8.8.8/', events: ['test'], secret, previousSecret: sealed() }
  })
  await runtime.db.webhookEndpoint.createMany({ data })
  return data.map(({ id }) => id)
}

const readEndpoints = ({ runtime }: World) =>
  runtime.db.webhookEndpoint.findMany({ orderBy: { id: 'asc' } })

type Endpoint = Awaited<ReturnType<typeof readEndpoints>>[number]

const secretsOf = (keys: MasterKeys, endpoint: Endpoint) => {
  const open = (sealed: Uint8Array) => unseal(keys, bindTo(endpoint, secretPurpose), sealed)
  return [open(endpoint.secret), endpoint.previousSecret && open(endpoint.previousSecret)]
}

const versionsOf = async ({ runtime }: World) =>
  (await runtime.db.masterKeyVersion.findMany()).map(({ version }) => version).sort()

test('every column that the schema calls sealed is re-sealed', () => {
  const folder = fileURLToPath(new URL('../../prisma/schema', import.meta.url))
  const schema = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const sealed = schema.flatMap((text) =>
    [
      ...text.matchAll(/\bsealed\b[^\n]*\n((?:\s*\/\/\/[^\n]*\n)*)\s*(\w+)\s+(?:Bytes|String)/gi),
    ].map(([, , field]) => String(field).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  )
  const known = sealedColumns.map(({ column }) => column)
  expect(known.length).toBe(7)
  // Each start seals the pepper again, under each version.
  expect(sealed.sort()).toEqual([...known, 'pepper'].sort())
})

test('all sealed values move to another key while they are in use, and the old key can be removed', {
  timeout: 180_000,
}, async () => {
  const texts = new Map<string, string>()
  const [tenant, code, drawId, agentId, kept] = await withKeys([left], async (world) => {
    for (const id of await storeEndpoints(world, 500)) texts.set(id, `whsec_${id}`)
    const slug = await makeCampaign(world, 'summer-sale')
    const calls = callsTo(world)
    const batch = await calls.generate({ slug, batchSize: 1, pointsValue: 5 })
    const { id: drawId } = await openDrawOf(world, await makeLottery(world))
    const agent = await createAgent(world.runtime, {
      partnerId: world.partner.partnerId,
      environment: 'LIVE',
      name: 'deep-thought',
      displayName: 'Deep Thought',
      provider: 'OPENAI',
      modelId: 'x',
      apiKey: 'sk-of-the-provider',
    } as never)
    const body = { userId: 'ann', eventType: 'signup' }
    const key = world.keys.secret
    const first = await world.post('/v1/points/award', key, body, { 'idempotency-key': 'k' })
    expect(first.status).toBe(200)
    return [
      world.tenant,
      { slug, key, text: batch.body.data.codes[0] },
      drawId,
      agent.id,
      { key, body, first },
    ]
  })

  await withKeys([two, left], async (world) => {
    const { runtime } = world
    const ids = [...texts.keys()]
    let working = true
    const errors: unknown[] = []
    /** Reads every secret again and again, as a node that delivers does. */
    const reader = async () => {
      while (working)
        for (const endpoint of await readEndpoints(world)) secretsOf([two, left], endpoint)
    }
    /** Changes secrets of half of the endpoints, as a node with these keys does. */
    const writer = async (keys: MasterKeys) => {
      for (let i = 0; working; i++) {
        const endpointId = ids[(i * 14 + keys[0].version) % ids.length] as string
        const store = { ...runtime, config: { ...runtime.config, masterKeys: keys } }
        const { secret } = await rotateWebhookSecret(store, { ...tenant, endpointId })
        texts.set(endpointId, secret)
        // The last node of the old version ends.
        if (keys[0] === left && i > 50) return
      }
    }
    const load = [reader(), writer([left, two]), writer([two, left])].map((task) =>
      task.catch((error) => errors.push(error)),
    )
    const { freed, unreadable, resealed } = await rotateMasterKey(runtime)
    await load[1]
    const again = await rotateMasterKey(runtime)
    working = false
    await Promise.all(load)
    expect(errors).toEqual([])
    expect([unreadable, again.unreadable]).toEqual([0, 0])
    expect([...freed, ...again.freed]).toContain(1)
    expect(resealed).toBeGreaterThan(900)
    expect(await versionsOf(world)).toEqual([2])
  })

  await withKeys([two], async (world) => {
    const { runtime } = world
    for (const endpoint of await readEndpoints(world))
      expect(secretsOf([two], endpoint)[0]).toBe(texts.get(endpoint.id))
    const { key, body, first } = kept
    const replay = await world.post('/v1/points/award', key, body, { 'idempotency-key': 'k' })
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(replay.text).toBe(first.text)
    const redeemed = await callsTo(world, code.key).redeem(code.slug, {
      userId: 'ann',
      code: code.text,
    })
    expect(redeemed.body).toMatchObject({ status: 'success', data: { pointsEarned: 5 } })
    const agent = await runtime.db.arenaAgent.findUniqueOrThrow({ where: { id: agentId } })
    const secret = unseal([two], bindTo(agent, agentSecretPurpose), agent.secret as Uint8Array)
    expect(secret).toBe('sk-of-the-provider')
    expect((await runDraw(runtime, drawId, { early: true })).status).toBe('COMPLETED')
    await runtime.db.webhookEndpoint.deleteMany()
  })
  await expect(withKeys([left], async () => {})).rejects.toThrow('must have version 2 too')
})

const rotate = () =>
  startProgram(
    {
      MASTER_KEYS: `3:${'third '.repeat(9)},2:${two.text}`,
      DATA_DIR: database.dataDir,
      ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
    },
    'src/cli/rotate-master-key.ts',
  )
const three = { version: 3, text: 'third '.repeat(9) }

/** How many secrets are under each version. */
const countVersions = async (world: World) => {
  const endpoints = await readEndpoints(world)
  const under = (version: number) =>
    endpoints.filter(({ secret }) => sealHeader(version).equals(secret.subarray(0, 8))).length
  return { old: under(2), fresh: under(3) }
}

test('the command continues after it was killed', {
  timeout: 180_000,
}, async () => {
  const count = 4_000
  await withKeys([two], async (world) => {
    const { runtime, tenant } = world
    const rows = Array.from({ length: count }, () => ({ ...tenant, id: uuid() }))
    const data = rows.map((row) => ({
      ...row,
      url: 'https://8.8.8.8/',
      events: ['test'],
      secret: seal([two], bindTo(row, secretPurpose), row.id),
    }))
    await runtime.db.webhookEndpoint.createMany({ data })
  })
  const first = rotate()
  await first.until('webhook_endpoint.secret: 400 of 4000')
  await first.end('SIGKILL')
  await withKeys([three, two], async (world) => {
    const { old, fresh } = await countVersions(world)
    expect(fresh).toBeGreaterThanOrEqual(400)
    expect(old).toBeGreaterThan(0)
    expect(old + fresh).toBe(count)
    for (const endpoint of await readEndpoints(world))
      expect(secretsOf([three, two], endpoint)[0]).toBe(endpoint.id)
    expect(await versionsOf(world)).toEqual([2, 3])
  })
  const second = rotate()
  expect(await second.exited, second.output()).toBe(0)
  expect(second.output()).toContain('No stored value needs version 2 any more')
  await withKeys([three], async (world) => {
    for (const endpoint of await readEndpoints(world))
      expect(secretsOf([three], endpoint)[0]).toBe(endpoint.id)
    expect(await versionsOf(world)).toEqual([3])
    await world.runtime.db.webhookEndpoint.deleteMany()
  })
  const third = rotate()
  expect(await third.exited).toBe(0)
  expect(third.output()).toContain('0 values were re-sealed')
})

test('the job re-seals values under a higher version, never under a lower one', async () => {
  const run = (world: World) => masterKeyJobs[0]?.run(world.runtime)
  await withKeys([three, two], (world) => storeWith(world, [two, three]))
  await withKeys([two, three], async (world) => {
    await run(world)
    expect(await versionsOf(world)).toEqual([2, 3])
  })
  await withKeys([three, two], async (world) => {
    expect(await countVersions(world)).toEqual({ old: 10, fresh: 0 })
    await run(world)
    expect(await countVersions(world)).toEqual({ old: 0, fresh: 10 })
    expect(await versionsOf(world)).toEqual([3])
  })
})

test('a value that no key opens is counted, and its version stays recorded', async () => {
  await withKeys([three, two], async (world) => {
    await storeWith(world, [two, three])
    const { db } = world.runtime
    await openPepper(db, world.runtime.clock, [two, three])
    const [broken] = await readEndpoints(world)
    const secret = new Uint8Array(broken?.secret ?? [])
    secret[20] = (secret[20] as number) ^ 1
    await db.webhookEndpoint.update({ where: { id: broken?.id as string }, data: { secret } })
    const { unreadable, freed } = await rotateMasterKey(world.runtime)
    expect({ unreadable, freed }).toEqual({ unreadable: 1, freed: [] })
    expect(await versionsOf(world)).toEqual([2, 3])
  })
})

/** Ten endpoints sealed under the first of these keys. */
const storeWith = async ({ runtime, tenant }: World, keys: MasterKeys) => {
  await runtime.db.webhookEndpoint.deleteMany()
  const rows = Array.from({ length: 10 }, () => ({ ...tenant, id: uuid() }))
  await runtime.db.webhookEndpoint.createMany({
    data: rows.map((row) => ({
      ...row,
      url: 'https://8.8.8.8/',
      events: ['test'],
      secret: seal(keys, bindTo(row, secretPurpose), row.id),
    })),
  })
}
