import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { createWorld, type World } from '../world.ts'
import { createReceiver, type Receiver, signatureOf } from './receiver.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({
    config: { jobs: true, webhookAllowPrivate: true, webhookRetrySeconds: [0, 0.05, 0.05, 0.05] },
  })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const receivers: Receiver[] = []
const endpoints: string[] = []
const receive = async (...args: Parameters<typeof createReceiver>) => {
  const receiver = await createReceiver(...args)
  receivers.push(receiver)
  return receiver
}

/** Without events of the journey: a job writes them when users become active. */
const subscribe = async (url: string, events = ['points.*'], key = world.keys.secret) => {
  const { status, body } = await world.post('/v1/webhooks', key, { url, events })
  expect(status).toBe(200)
  endpoints.push(body.data.id)
  return body.data
}

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.end()
  for (const id of endpoints.splice(0))
    await world.call('DELETE', `/v1/webhooks/${id}`, { key: world.keys.secret })
})

const award = (userId: string, more: object = {}) =>
  world.post('/v1/points/award', world.keys.secret, { userId, eventType: 'referral', ...more })

const deliveriesOf = async (endpointId: string) =>
  (await world.get(`/v1/webhooks/deliveries?endpointId=${endpointId}`, world.keys.secret)).body.data

/** The changes of an endpoint in the audit log, newest first. */
const auditOf = async (target: string): Promise<{ actorKind: string }[]> => {
  const { body } = await world.graphql(
    `query ($target: ID!) { auditLog(filter: {targetId: $target, action: "updateWebhookEndpoint"}) { nodes {
      action actorKind actor { __typename } actorName address userAgent requestId
      target { ... on WebhookEndpoint { uuid } } changes { field from to } } } }`,
    { target },
    { bearer: await world.signInAs('OWNER') },
  )
  return body.data.auditLog.nodes
}

/** Waits until the newest delivery of an endpoint has ended in a state. */
const untilState = async (endpointId: string, status: string) => {
  for (let i = 0; i < 300; i++) {
    const [delivery] = await deliveriesOf(endpointId)
    if (delivery?.status === status) return delivery
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`no delivery became ${status}`)
}

describe('a receiver', () => {
  test('gets awards and plays within a second, with both signatures', async () => {
    const receiver = await receive()
    const { secret } = await subscribe(receiver.url, ['points.awarded', 'game.played'])
    const answer = await award('ann', { reference: 'r-1' })
    const answeredAt = Date.now()
    await receiver.until(1)
    const [first] = receiver.received
    expect(first?.at).toBeLessThan(answeredAt + 5_000)
    expect(first?.body).toEqual({
      event: 'points.awarded',
      data: answer.body.data,
      timestamp: answer.body.data.createdAt,
    })

    const play = { userId: 'ann', gameType: 'NEON_WHEEL' }
    const played = await world.post('/v1/games/play', world.keys.public, play)
    const [, second] = await receiver.until(2)
    expect(second?.body).toEqual({
      event: 'game.played',
      data: played.body.data,
      timestamp: played.body.data.playedAt,
    })

    for (const { headers, text, body } of receiver.received) {
      expect(headers['x-webhook-signature']).toBe(signatureOf(secret, text))
      expect(headers['x-webhook-event']).toBe(body.event)
      expect(headers['x-webhook-id']).toBe(headers['webhook-id'])
      const verified = new Webhook(secret).verify(text, headers as Record<string, string>)
      expect(verified).toEqual(body)
      expect(() =>
        new Webhook(secret).verify(`${text} `, headers as Record<string, string>),
      ).toThrow()
    }
  })

  test('gets only events that it has subscribed to, of its own environment and partner', async () => {
    const [points, games, live, other] = [
      await receive(),
      await receive(),
      await receive(),
      await receive(),
    ]
    await subscribe(points.url, ['points.*'])
    await subscribe(games.url, ['game.played'])
    await subscribe(live.url, ['*'], world.partner.live.secret)
    await subscribe(other.url, ['*'], (await world.createPartner()).test.secret)
    await award('ben')
    await world.post('/v1/games/play', world.keys.public, {
      userId: 'ben',
      gameType: 'ENIGMA_BOXES',
    })
    await points.until(1)
    await games.until(1)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(points.received.map(({ body }) => body.event)).toEqual(['points.awarded'])
    expect(games.received.map(({ body }) => body.event)).toEqual(['game.played'])
    expect(live.received).toEqual([])
    expect(other.received).toEqual([])
  })

  test('that fails gets the same id and bytes again until it accepts them', async () => {
    const receiver = await receive((n) => (n < 3 ? 500 : 200))
    const { id } = await subscribe(receiver.url)
    await award('cid')
    await receiver.until(3)
    const [first, second, three] = receiver.received
    for (const again of [second, three]) {
      expect(again?.text).toBe(first?.text)
      expect(again?.headers['x-webhook-id']).toBe(first?.headers['x-webhook-id'])
    }
    const { id: deliveryId } = await untilState(id, 'DELIVERED')
    const { body } = await world.get(`/v1/webhooks/deliveries/${deliveryId}`, world.keys.secret)
    expect(body.data).toMatchObject({ status: 'DELIVERED', attempts: 3, responseStatus: 200 })
    expect(body.data.attemptLog.map((a: { responseStatus: number }) => a.responseStatus)).toEqual([
      200, 500, 500,
    ])
  })

  test('that never accepts is given up after the last retry, and a delivery can be resent by hand', async () => {
    let accepts = false
    const receiver = await receive(() => ({
      status: accepts ? 204 : 503,
      body: accepts ? '' : 'no',
    }))
    const { id } = await subscribe(receiver.url)
    await award('dan')
    const failed = await untilState(id, 'FAILED')
    expect(failed).toMatchObject({ attempts: 4, nextAttemptAt: null, responseStatus: 503 })
    accepts = true
    const retry = await world.post(`/v1/webhooks/deliveries/${failed.id}/retry`, world.keys.secret)
    expect(retry.body.data.status).toBe('PENDING')
    expect(await untilState(id, 'DELIVERED')).toMatchObject({ id: failed.id, attempts: 5 })
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  })

  test('that is slow gets a delivery at once when it is resent by hand', async () => {
    const receiver = await receive(() => ({ status: 200, delayMs: 50 }))
    const { id } = await subscribe(receiver.url)
    for (let i = 0; i < 15; i++) {
      const path = i === 0 ? `${id}/test` : `deliveries/${(await deliveriesOf(id))[0].id}/retry`
      const { data } = (await world.post(`/v1/webhooks/${path}`, world.keys.secret)).body
      expect(data).toMatchObject({ status: 'PENDING', finishedAt: null })
      expect(Date.parse(data.nextAttemptAt)).toBeLessThanOrEqual(Date.now())
      await untilState(id, 'DELIVERED')
    }
  })

  test('that answers 410 is disabled and can be made active again', async () => {
    const receiver = await receive((n) => (n === 1 ? 410 : 200))
    const { id } = await subscribe(receiver.url)
    await award('eve')
    await untilState(id, 'FAILED')
    const shown = await world.get(`/v1/webhooks/${id}`, world.keys.secret)
    expect(shown.body.data).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'The receiver answered 410 Gone',
    })
    expect(await auditOf(id)).toEqual([
      {
        action: 'updateWebhookEndpoint',
        actorKind: 'SYSTEM',
        actor: null,
        actorName: null,
        address: null,
        userAgent: null,
        requestId: null,
        target: { uuid: id },
        changes: [
          { field: 'disabledReason', from: null, to: 'The receiver answered 410 Gone' },
          { field: 'status', from: 'ACTIVE', to: 'DISABLED' },
        ],
      },
    ])
    await award('eve')
    const test = await world.post(`/v1/webhooks/${id}/test`, world.keys.secret)
    expect(test).toMatchObject({ status: 409, body: { errorCode: 'WEBHOOK_DISABLED' } })
    const active = { key: world.keys.secret, body: { status: 'ACTIVE' } }
    const patched = await world.call('PATCH', `/v1/webhooks/${id}`, active)
    expect(patched.body.data).toMatchObject({ status: 'ACTIVE', disabledReason: null })
    const disabled = { key: world.keys.secret, body: { status: 'DISABLED' } }
    await world.call('PATCH', `/v1/webhooks/${id}`, disabled)
    await world.call('PATCH', `/v1/webhooks/${id}`, active)
    expect((await auditOf(id)).map(({ actorKind }) => actorKind)).toEqual([
      'KEY',
      'KEY',
      'KEY',
      'SYSTEM',
    ])
    await world.post(`/v1/webhooks/${id}/test`, world.keys.secret)
    const [, again] = await receiver.until(2)
    expect(again?.body).toMatchObject({ event: 'test', data: { endpointId: id } })
  })

  test('that redirects is not followed', async () => {
    const target = await receive()
    const receiver = await receive(() => ({ status: 307, headers: { location: target.url } }))
    const { id } = await subscribe(receiver.url)
    await award('fay')
    await untilState(id, 'FAILED')
    expect(target.received).toEqual([])
  })

  test('that is slow or dead delays no other', async () => {
    const dead = await receive(() => ({ status: 200, delayMs: 60_000 }))
    const gone = await receive()
    const fast = await receive()
    await gone.end()
    receivers.splice(receivers.indexOf(gone), 1)
    await subscribe(dead.url)
    await subscribe(gone.url)
    await subscribe(fast.url)
    for (let i = 0; i < 60; i++) await award(`gus-${i}`)
    const answeredAt = Date.now()
    await fast.until(60, 10_000)
    expect(fast.received).toHaveLength(60)
    // Earlier than an attempt at the silent endpoint ends.
    expect(Math.max(...fast.received.map(({ at }) => at))).toBeLessThan(answeredAt + 10_000)
  })

  test('gets the next attempt no earlier than it asked', async () => {
    const receiver = await receive((n) =>
      n === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 200,
    )
    await subscribe(receiver.url)
    await award('hal')
    const [first, second] = await receiver.until(2)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950)
  })

  test('may send a long answer: one kilobyte is stored, without NUL or half a character', async () => {
    const receiver = await receive(() => ({ status: 200, body: `\0${'ä😀'.repeat(200_000)}` }))
    const { id } = await subscribe(receiver.url)
    await award('ida')
    const { id: deliveryId } = await untilState(id, 'DELIVERED')
    const { body } = await world.get(`/v1/webhooks/deliveries/${deliveryId}`, world.keys.secret)
    const kept = body.data.attemptLog[0].responseBody
    expect(kept).toMatch(/^ä😀/)
    expect(kept.length).toBeLessThanOrEqual(1024)
  })
})

describe('a rotated secret', () => {
  test('signs together with the old one for a day', async () => {
    const receiver = await receive()
    const { id, secret } = await subscribe(receiver.url)
    const { body } = await world.post(`/v1/webhooks/${id}/rotate-secret`, world.keys.secret)
    const newer = body.data.secret
    expect(newer).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(newer).not.toBe(secret)
    await award('jim')
    const [first] = await receiver.until(1)
    const { headers, text } = first as NonNullable<typeof first>
    expect(headers['x-webhook-signature']).toBe(signatureOf(newer, text))
    expect(headers['x-webhook-signature-previous']).toBe(signatureOf(secret, text))
    for (const key of [secret, newer])
      new Webhook(key).verify(text, headers as Record<string, string>)
  })
})

describe('events that were missed', () => {
  test('are resent for a period, also from before the endpoint existed', async () => {
    const from = new Date().toISOString()
    for (let i = 0; i < 3; i++) await award(`kim-${i}`)
    const receiver = await receive()
    const { id } = await subscribe(receiver.url, ['points.awarded'])
    const replay = await world.post(`/v1/webhooks/${id}/replay`, world.keys.secret, { from })
    expect(replay.body.data).toEqual({ queued: 3, nextAfter: null })
    await receiver.until(3)
    expect(receiver.received.map(({ body }) => body.data.userId).sort()).toEqual([
      'kim-0',
      'kim-1',
      'kim-2',
    ])
    await untilState(id, 'DELIVERED')
    const failed = { from, failedOnly: true }
    const none = await world.post(`/v1/webhooks/${id}/replay`, world.keys.secret, failed)
    expect(none.body.data.queued).toBe(0)
  })

  test('are listed after an event, until there are no more', async () => {
    const all = async (after?: string) =>
      (await world.get(`/v1/events?limit=2${after ? `&after=${after}` : ''}`, world.keys.secret))
        .body.data
    const seen: string[] = []
    for (let page = await all(); page.length > 0; page = await all(seen.at(-1)))
      seen.push(...page.map(({ id }: { id: string }) => id))
    const rows = await world.runtime.db.event.findMany({ where: world.tenant })
    expect(seen.sort()).toEqual(rows.map(({ id }) => id).sort())
    const unknown = '/v1/events?after=00000000-0000-7000-8000-000000000000'
    expect((await world.get(unknown, world.keys.secret)).status).toBe(404)
    expect((await world.get('/v1/events?after=x', world.keys.secret)).status).toBe(404)
    const filtered = await world.get('/v1/events?types=test&limit=100', world.keys.secret)
    expect(new Set(filtered.body.data.map(({ event }: { event: string }) => event))).toEqual(
      new Set(['test']),
    )
  })

  test('are listed by name and by group, and an unknown name is refused', async () => {
    await award('lou')
    const list = (query: string) => world.get(`/v1/events?limit=100${query}`, world.keys.secret)
    const shown = async (query: string): Promise<string[]> =>
      (await list(query)).body.data.map(({ event }: { event: string }) => event)
    const all = await shown('')
    const awarded = all.filter((event) => event === 'points.awarded')
    expect(awarded.length).toBeLessThan(all.length)
    for (const types of ['points.*', 'points.awarded', 'match.*,points.*'])
      expect(await shown(`&types=${types}`), types).toEqual(awarded)
    expect(await shown('&types=points.*,game.*,test')).toEqual(all)
    for (const types of ['', '*', '*,test']) expect(await shown(`&types=${types}`)).toEqual(all)
    expect(await shown('&types=arena.*')).toEqual([])
    for (const types of ['nope', 'points', 'nope.*', 'points.awarded,', '%00']) {
      const { status, body } = await list(`&types=${types}`)
      expect([types, status]).toEqual([types, 400])
      expect(body.errors).toMatchObject([{ field: 'types' }])
    }
  })
})

test('nothing is sent for a transaction that was rolled back', async () => {
  const receiver = await receive()
  await subscribe(receiver.url)
  await world.runtime.db
    .$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
        VALUES (gen_random_uuid(), ${world.tenant.partnerId}::uuid, 'TEST', 'points.awarded', '{}', now())`
      throw new Error('no')
    })
    .catch(() => {})
  await award('lea')
  await receiver.until(1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(receiver.received.map(({ body }) => body.data.userId)).toEqual(['lea'])
})
