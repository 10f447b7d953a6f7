import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { World } from '../world.ts'
import { type Client, createStage, prefixes, type Stage } from './stage.ts'

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
  beforeAll(async () => {
    ;({ call, create, data } = await stage.client(prefix))
  })

  test('a replay sends the events of its period and endpoint, and only failed ones with `failedOnly`', async () => {
    stage.later(60_000)
    const from = stage.now().toISOString()
    await stage.award('cora', 2)
    await stage.play('cora')
    const to = new Date(stage.now().getTime() + 1).toISOString()
    await stage.award('cora', 2)
    const { id } = await create(['points.awarded'])
    const replay = (body: object) => data('POST', `/${id}/replay`, body)
    const none = { queued: 0, nextAfter: null }

    expect(await replay({ from, failedOnly: true })).toEqual(none)
    expect(await replay({ from, to })).toEqual({ queued: 2, nextAfter: null })
    // Those that wait are left as they are.
    expect(await replay({ from, to })).toEqual(none)
    stage.later(1)
    expect(await replay({ from })).toEqual({ queued: 2, nextAfter: null })
    await stage.settle(id, 'FAILED')
    stage.later(1_000)
    await stage.award('cora')
    await stage.settle(id, 'DELIVERED')
    expect(await replay({ from, to, failedOnly: true })).toEqual({ queued: 2, nextAfter: null })
    expect(await replay({ from, failedOnly: true })).toEqual({ queued: 2, nextAfter: null })
    await stage.settle(id, 'DELIVERED')
    stage.later(1)
    expect(await replay({ from, failedOnly: true })).toEqual(none)
    expect(await replay({ from, failedOnly: false })).toEqual({ queued: 5, nextAfter: null })
    await stage.settle(id, 'DELIVERED')
    await data('DELETE', `/${id}`)
  })

  test('a replay continues after an existing event; `to` cannot be before `from`', async () => {
    stage.later(60_000)
    const from = stage.now().toISOString()
    await stage.award('dora', 2)
    const { id } = await create(['points.awarded'])
    const first = await world.runtime.db.event.findFirstOrThrow({
      where: { ...world.tenant, type: 'points.awarded' },
      orderBy: { occurredAt: 'desc' },
      skip: 1,
    })
    stage.later(1)
    const replay = (body: object) => call('POST', `/${id}/replay`, { from, ...body })
    expect((await replay({ after: first.id })).body.data).toEqual({ queued: 1, nextAfter: null })
    await world.givePoints('dora', 1, 'signup', world.partner.live.secret)
    const live = await world.runtime.db.event.findFirstOrThrow({
      where: { ...world.tenant, environment: 'LIVE' },
    })
    for (const after of [nobody, live.id])
      expect(await replay({ after })).toMatchObject({
        status: 404,
        body: { message: expect.stringMatching(/^Event not found/), errorCode: 'EVENT_NOT_FOUND' },
      })
    const early = new Date(Date.parse(from) - 1).toISOString()
    expect(await replay({ to: early })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'to', message: 'to must not be before from' }] },
    })
    expect((await replay({ to: from })).body.data).toEqual({ queued: 0, nextAfter: null })
    await stage.settle(id, 'DELIVERED')
    await data('DELETE', `/${id}`)
  })

  test('a replay with an invalid time is 400', async () => {
    const { id } = await create()
    const from = stage.now().toISOString()
    for (const body of [
      {},
      { from: null },
      { from: '' },
      { from: 'yesterday' },
      { from: 5 },
      { from: true },
      { from: [from] },
      { from: '-000001-01-01T00:00:00Z' },
      { from: '1969-12-31T23:59:59Z' },
      { from: '+300000-01-01T00:00:00Z' },
      { from: '2026-02-31T25:00:00Z' },
      { from, to: 'x' },
      { from, to: 7 },
      { from, to: '+010000-01-01T00:00:00Z' },
      { from, failedOnly: 'yes' },
      { from, failedOnly: 1 },
    ]) {
      const answer = await call('POST', `/${id}/replay`, body)
      expect([body, answer.status]).toEqual([body, 400])
      expect(answer.body).toMatchObject({ code: 400, status: 'error' })
    }
    await data('DELETE', `/${id}`)
  })
})
