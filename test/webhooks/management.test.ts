import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/rest/routes.ts'
import type { World } from '../world.ts'
import { type Client, createStage, prefixes, type Stage } from './stage.ts'
import { storeEndpoint } from './stored.ts'

const nobody = '00000000-0000-7000-8000-000000000000'

let stage: Stage
let world: World
beforeAll(async () => {
  stage = await createStage()
  world = stage.world
})
afterAll(() => stage.end())

describe.each(prefixes)('under %s', (prefix) => {
  let call: Client['call']
  let create: Client['create']
  let data: Client['data']
  let award: Stage['award']
  let play: Stage['play']
  beforeAll(async () => {
    ;({ call, create, data } = await stage.client(prefix))
    ;({ award, play } = stage)
  })

  test('an endpoint is created, listed, shown, changed and deleted', async () => {
    const made = await create(['points.awarded', 'game.*'], { description: 'mine' })
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      url: 'https://8.8.8.8/hook',
      events: ['points.awarded', 'game.*'],
      description: 'mine',
      status: 'ACTIVE',
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: stage.now().toISOString(),
      updatedAt: stage.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
    })
    const { secret: _, ...known } = made
    expect(await data('GET', `/${made.id}`)).toEqual(known)
    expect((await data('GET', '?limit=100')).at(-1)).toEqual(known)

    stage.later(5_000)
    const changes = { url: 'https://1.1.1.1/', events: ['*'], description: null }
    const changed = { ...known, ...changes, updatedAt: stage.now().toISOString() }
    expect(await data('PATCH', `/${made.id}`, changes)).toEqual(changed)
    expect(await data('PATCH', `/${made.id}`, {})).toEqual(changed)
    expect(await data('GET', `/${made.id}`)).toEqual(changed)

    expect(await data('DELETE', `/${made.id}`)).toEqual({ id: made.id })
    expect((await data('GET', '?limit=100')).map(({ id }: { id: string }) => id)).not.toContain(
      made.id,
    )
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['POST', '/replay', { from: stage.now().toISOString() }],
    ] as const)
      for (const id of [made.id, nobody])
        expect(await call(method, `/${id}${path}`, body)).toMatchObject({
          status: 404,
          body: { errorCode: 'WEBHOOK_NOT_FOUND', message: 'Webhook endpoint not found' },
        })
  })

  test('endpoints are paged, oldest first', async () => {
    const before = (await call('GET', '')).body.meta.total
    const made = []
    for (let i = 0; i < 5; i++) made.push((await create()).id)
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { body } = await call('GET', `?page=${page}&limit=2`)
      const total = before + 5
      expect(body.meta).toEqual({ page, limit: 2, total, totalPages: Math.ceil(total / 2) })
      if (body.data.length === 0) break
      seen.push(...body.data.map(({ id }: { id: string }) => id))
    }
    expect(new Set(seen).size).toBe(before + 5)
    expect(seen.slice(-5)).toEqual(made)
    for (const id of made) await data('DELETE', `/${id}`)
  })

  test('a disabled endpoint gets no new deliveries, and pending ones continue later', async () => {
    const { id } = await create()
    const count = async () => (await call('GET', `/deliveries?endpointId=${id}`)).body.meta.total
    await award('ann')
    expect(await count()).toBe(1)
    expect(await data('PATCH', `/${id}`, { status: 'DISABLED' })).toMatchObject({
      status: 'DISABLED',
      disabledReason: null,
    })
    const [waiting] = await data('GET', `/deliveries?endpointId=${id}`)
    await award('ann', 3)
    expect(await count()).toBe(1)
    for (const [path, body] of [
      [`/${id}/test`],
      [`/${id}/replay`, { from: stage.now().toISOString() }],
      [`/deliveries/${waiting.id}/retry`],
    ] as const)
      expect(await call('POST', path, body)).toMatchObject({
        status: 409,
        body: { errorCode: 'WEBHOOK_DISABLED' },
      })
    await data('PATCH', `/${id}`, { status: 'ACTIVE' })
    await award('ann')
    expect(await count()).toBe(2)
    expect((await data('GET', `/deliveries?endpointId=${id}`)).at(-1)).toEqual(waiting)
    await data('DELETE', `/${id}`)
  })

  test('the deliveries of a deleted endpoint are not shown', async () => {
    const { id } = await create()
    await award('ann')
    const [delivery] = await data('GET', `/deliveries?endpointId=${id}`)
    await data('DELETE', `/${id}`)
    expect((await call('GET', `/deliveries?endpointId=${id}`)).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
    const all = await data('GET', '/deliveries?limit=100')
    expect(all.map(({ id }: { id: string }) => id)).not.toContain(delivery.id)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/retry'],
    ] as const)
      expect(await call(method, `/deliveries/${delivery.id}${path}`)).toMatchObject({
        status: 404,
        body: { errorCode: 'WEBHOOK_DELIVERY_NOT_FOUND' },
      })
  })

  test('deliveries are filtered and paged, newest first', async () => {
    const { id } = await create()
    const { id: other } = await create(['game.played'])
    stage.later(60_000)
    const start = stage.now().toISOString()
    await award('bea', 3)
    await stage.settle(id, 'DELIVERED')
    stage.later(60_000)
    const middle = stage.now().toISOString()
    await play('bea')
    await stage.settle(id, 'FAILED')
    await award('bea')

    const find = async (query: string) =>
      (await data('GET', `/deliveries?endpointId=${id}&${query}`)).map(
        ({ event, status }: Record<string, string>) => `${event} ${status}`,
      )
    const [old, failed, waiting] = [
      'points.awarded DELIVERED',
      'game.played FAILED',
      'points.awarded PENDING',
    ]
    expect(await find('')).toEqual([waiting, failed, old, old, old])
    expect(await find('status=DELIVERED')).toEqual([old, old, old])
    expect(await find('status=FAILED')).toEqual([failed])
    expect(await find('status=PENDING')).toEqual([waiting])
    expect(await find('event=game.played')).toEqual([failed])
    expect(await find('event=points.awarded&status=PENDING')).toEqual([waiting])
    expect(await find('event=game.*')).toEqual([failed])
    expect(await find('event=arena.*')).toEqual([])
    const unknown = await call('GET', '/deliveries?event=unknown')
    expect([unknown.status, unknown.body.errors]).toMatchObject([400, [{ field: 'event' }]])
    expect(await find(`from=${middle}`)).toEqual([waiting, failed])
    expect(await find(`to=${middle}`)).toEqual([old, old, old])
    expect(await find(`from=${start}&to=${middle}&event=game.played`)).toEqual([])
    expect(await find(`endpointId=${other}`).catch(() => 'twice')).toBe('twice')
    const ofOther = await data('GET', `/deliveries?endpointId=${other}`)
    expect(ofOther).toMatchObject([{ event: 'game.played', endpointId: other, status: 'PENDING' }])

    const paged: string[] = []
    for (let page = 1; page <= 3; page++) {
      const { body } = await call('GET', `/deliveries?endpointId=${id}&page=${page}&limit=2`)
      expect(body.meta).toEqual({ page, limit: 2, total: 5, totalPages: 3 })
      paged.push(...body.data.map(({ id }: { id: string }) => id))
    }
    const all = await data('GET', `/deliveries?endpointId=${id}`)
    expect(paged).toEqual(all.map(({ id }: { id: string }) => id))

    const shown = await data('GET', `/deliveries/${all[1].id}`)
    expect(shown).toMatchObject({
      ...all[1],
      attemptLog: [{ number: 1, responseStatus: 500, durationMs: 5, error: null }],
    })
    for (const bad of [
      'endpointId=x',
      'status=LOST',
      // A parameter of REST is one value.
      'status=FAILED,PENDING',
      'event=points.awarded,points.reversed',
      'from=yesterday',
      'to=x',
      'limit=0',
      'page=-1',
    ])
      expect((await call('GET', `/deliveries?${bad}`)).status, bad).toBe(400)

    const retried = await data('POST', `/deliveries/${all[1].id}/retry`)
    expect(retried).toMatchObject({ id: all[1].id, status: 'PENDING', finishedAt: null })
    expect(retried.nextAttemptAt).toBe(stage.now().toISOString())
    await stage.settle(id, 'DELIVERED')
    for (const item of [id, other]) await data('DELETE', `/${item}`)
  })

  test('a rotation gives a new secret and keeps the old one for a day', async () => {
    const made = await create()
    stage.later(1_000)
    const { secret, ...rest } = await data('POST', `/${made.id}/rotate-secret`)
    expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
    expect(secret).not.toBe(made.secret)
    const { secret: _, ...known } = made
    expect(rest).toEqual({
      ...known,
      updatedAt: stage.now().toISOString(),
      previousSecretUntil: new Date(stage.now().getTime() + 24 * 3600_000).toISOString(),
    })
    await data('DELETE', `/${made.id}`)
  })

  test('a test event is sent to one endpoint only, whatever it has subscribed to', async () => {
    const { id } = await create(['match.started'])
    const { id: other } = await create(['*'])
    const delivery = await data('POST', `/${id}/test`)
    expect(delivery).toMatchObject({
      endpointId: id,
      event: 'test',
      status: 'PENDING',
      attempts: 0,
    })
    expect(await data('GET', `/deliveries?endpointId=${id}`)).toEqual([delivery])
    expect(await data('GET', `/deliveries?endpointId=${other}`)).toEqual([])
    for (const item of [id, other]) await data('DELETE', `/${item}`)
  })
})

test('every route of webhooks exists under both prefixes and needs a secret key', async () => {
  const all = routes.filter(({ path }) => /^\/(v1|dashboard)\/(webhooks|events)/.test(path))
  const under = (prefix: string) =>
    all
      .filter(({ path }) => path.startsWith(`${prefix}/webhooks`))
      .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`)
      .sort()
  expect(under('/v1')).toHaveLength(11)
  expect(under('/dashboard')).toEqual(under('/v1'))
  for (const { method, path } of all) {
    const url = path.replace(/\{\w+\}/, nobody)
    const wrong = path.startsWith('/v1')
      ? [undefined, world.keys.public, await world.signInAs('OPERATOR')]
      : [undefined, world.keys.public, world.keys.secret]
    for (const key of wrong) {
      const answer = await world.call(method, url, key ? { key } : {})
      expect([method, path, answer.status]).toEqual([method, path, 401])
    }
  }
})

test('of 60 simultaneous creations, 50 are accepted', async () => {
  const partner = await world.createPartner()
  const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
  const create = () => world.post('/v1/webhooks', partner.test.secret, body)
  const answers = await Promise.all(Array.from({ length: 60 }, create))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(50)
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toMatchObject({ code: 409, errorCode: 'WEBHOOK_LIMIT_REACHED' })
  const { partnerId } = partner
  expect(await world.runtime.db.webhookEndpoint.count({ where: { partnerId } })).toBe(50)
  // LIVE has a separate limit, and a deleted endpoint makes room.
  expect((await world.post('/v1/webhooks', partner.live.secret, body)).status).toBe(200)
  const id = answers.find(({ status }) => status === 200)?.body.data.id
  await world.call('DELETE', `/v1/webhooks/${id}`, { key: partner.test.secret })
  expect((await create()).status).toBe(200)
  expect((await create()).status).toBe(409)
})

test('a member works in the environment of the header, and sees nothing of the other', async () => {
  const bearer = await world.signInAs('OWNER')
  const headers = (environment: string) => ({
    authorization: `Bearer ${bearer}`,
    'x-environment': environment,
  })
  const id = await storeEndpoint(world, {
    partnerId: world.partner.partnerId,
    environment: 'LIVE',
    url: 'https://8.8.8.8/live',
  })
  const path = `/dashboard/webhooks/${id}`
  expect((await world.get(path, undefined, headers('LIVE'))).status).toBe(200)
  expect((await world.get(path, undefined, headers('TEST'))).status).toBe(404)
})
