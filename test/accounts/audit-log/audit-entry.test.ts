import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/generated/prisma/client.ts'
import { createWorld, type World } from '../../world.ts'

let world: World
let developer: string
let operator: string
beforeAll(async () => {
  world = await createWorld()
  developer = await world.signInAs('OWNER')
  operator = await world.signInAs('OPERATOR')
})
afterAll(() => world.end())

const entriesOf = (where: object): Promise<AuditEntry[]> =>
  world.runtime.db.auditEntry.findMany({ where, orderBy: { at: 'asc' } })

/** Calls REST and returns the entries of the call. */
const entriesAfter = async (
  method: string,
  path: string,
  key: string | undefined,
  body?: object,
) => {
  const requestId = randomUUID()
  const headers = { 'x-request-id': requestId, 'user-agent': 'curl/8' }
  const answer = await world.call(method, path, { ...(key && { key }), headers, body })
  return { answer, entries: await entriesOf({ requestId }) }
}

const password = 'correct horse battery'
const makeMember = async () => {
  const email = `${randomUUID()}@example.com`
  const { body } = await world.post('/dashboard/members', developer, { email, password })
  return { email, id: body.data.id as string }
}
const logIn = (email: string, password: string) =>
  entriesAfter('POST', '/dashboard/auth/login', undefined, { email, password })

describe('an entry of a REST route', () => {
  const path = '/v1/webhooks'

  test('records who did what with which key, and from where', async () => {
    const { secret } = world.keys
    const key = await world.runtime.db.apiKey.findFirstOrThrow({
      where: { lastFour: secret.slice(-4) },
    })
    await world.runtime.db.apiKey.update({ where: { id: key.id }, data: { label: 'backend' } })
    const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
    const { answer, entries } = await entriesAfter('POST', path, secret, body)
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Date),
        requestId: expect.any(String),
        ...world.tenant,
        actorKind: 'KEY',
        actorId: key.id,
        actorName: `backend …${secret.slice(-4)}`,
        address: expect.stringMatching(/127\.0\.0\.1$/),
        userAgent: 'curl/8',
        action: 'createWebhookEndpoint',
        refusal: null,
        targetType: 'WebhookEndpoint',
        targetId: answer.body.data.id,
        targetName: body.url,
        targetVersion: 1,
        changes: expect.arrayContaining([
          {
            table: 'webhook_endpoint',
            id: answer.body.data.id,
            ...{ field: 'url', from: null, to: 'https://8.8.8.8/hook' },
          },
        ]),
      },
    ])
  })

  test('records the values before and after, and hides secrets', async () => {
    const body = { url: 'https://8.8.8.8/hook', events: ['*'] }
    const { id, secret } = (await world.post(path, world.keys.secret, body)).body.data
    const change = { url: 'https://8.8.4.4/hook' }
    const { entries } = await entriesAfter('PATCH', `${path}/${id}`, world.keys.secret, change)
    const of = { table: 'webhook_endpoint', id }
    expect(entries[0]?.changes).toEqual([
      { ...of, field: 'url', from: 'https://8.8.8.8/hook', to: 'https://8.8.4.4/hook' },
    ])
    const rotated = await entriesAfter('POST', `${path}/${id}/rotate-secret`, world.keys.secret)
    expect(rotated.entries[0]?.changes).toEqual([
      { ...of, field: 'previous_secret', from: null, to: '***' },
      { ...of, field: 'previous_secret_until', from: null, to: expect.any(String) },
      { ...of, field: 'secret', from: '***', to: '***' },
    ])
    expect(JSON.stringify(await entriesOf({ targetId: id }))).not.toContain(secret)
  })

  test('contains only the changed items of a list', async () => {
    const { secret } = world.keys
    const rules = (purchase: number) => ({
      eventRules: [
        { eventType: 'signup', points: 5 },
        { eventType: 'purchase', points: purchase },
      ],
    })
    const campaign = { slug: 'listed', name: 'Listed', ...rules(10) }
    const change = async (points: number) => {
      const requestId = randomUUID()
      await world.call('POST', '/graphql', {
        headers: { 'x-api-secret': secret, 'x-request-id': requestId },
        body: {
          query: `mutation ($input: UpdateCampaignInput!) {
            updateCampaign(input: $input) { __typename } }`,
          variables: { input: { campaign: { slug: 'listed' }, ...rules(points) } },
        },
      })
      return (await entriesOf({ requestId }))[0]?.changes
    }
    await world.graphql(
      'mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { __typename } }',
      { input: campaign },
    )
    expect(await change(10)).toEqual([])
    expect(await change(20)).toEqual([
      {
        table: 'campaign_event_rule',
        id: expect.any(String),
        field: 'points',
        from: 10,
        to: 20,
      },
    ])
  })

  test('is not written when the route refuses', async () => {
    const { answer, entries } = await entriesAfter(
      'DELETE',
      `${path}/${randomUUID()}`,
      world.keys.secret,
    )
    expect([answer.status, entries]).toEqual([404, []])
  })
})

describe('the entry and its change', () => {
  const rule = (points: number) =>
    world.graphql(
      'mutation ($points: Int!) { setRewardRule(input: { eventType: "together", points: $points }) { __typename } }',
      { points },
    )
  const stored = () => world.runtime.db.rewardRule.findFirst({ where: { eventType: 'together' } })
  const run = (text: string) => world.server.database.pool.query({ text })

  test('are rolled back together if the entry cannot be written', async () => {
    await run(
      "ALTER TABLE audit_entry ADD CONSTRAINT fault CHECK (action <> 'setRewardRule') NOT VALID",
    )
    const { body } = await rule(5)
    expect(body.errors[0].extensions.code).toBe('INTERNAL')
    expect(await stored()).toBeNull()
    await run('ALTER TABLE audit_entry DROP CONSTRAINT fault')
    await rule(5)
    expect(await stored()).toMatchObject({ points: 5 })
  })

  test('are written once if the database aborts the transaction and it is retried', async () => {
    await run('CREATE SEQUENCE fault_no')
    await run(`CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('fault_no') < 3 THEN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END IF;
      RETURN NEW; END $$`)
    await run(
      'CREATE TRIGGER fault BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION fault()',
    )
    const { body } = await rule(6)
    await run('DROP TRIGGER fault ON audit_entry')
    expect(body.data.setRewardRule.__typename).toBe('SetRewardRulePayload')
    const found = await stored()
    expect(found).toMatchObject({ points: 6 })
    const entries = await entriesOf({ targetId: found?.id })
    expect(entries.map(({ changes }) => changes)).toMatchObject([[{}, {}], [{ from: 5, to: 6 }]])
    await rule(5)
  })

  test('of ten simultaneous calls form a sequence', async () => {
    await Promise.all([...Array(10).keys()].map((i) => rule(100 + i)))
    const found = await stored()
    const entries = await entriesOf({ targetId: found?.id })
    const steps = entries.flatMap(({ changes }) =>
      (changes as { field: string; from: number; to: number }[]).filter(
        ({ field }) => field === 'points',
      ),
    )
    expect(steps).toHaveLength(13)
    const from = new Map(steps.slice(3).map((step) => [step.from, step.to]))
    let points: number | undefined = 5
    for (let i = 0; i < 10; i++) points = from.get(points ?? -1)
    expect(points).toBe(found?.points)
  })

  test('nothing is recorded outside a mutation', async () => {
    const { rows } = await run(`SELECT nullif(current_setting('tessera.audit', true), '') AS noted`)
    expect(rows).toEqual([{ noted: null }])
    await run(`UPDATE reward_rule SET points = points + 1 WHERE event_type = 'together'`)
  })
})

describe('a sign-in', () => {
  test('is an entry of its member', async () => {
    const { email, id } = await makeMember()
    const { answer, entries } = await logIn(email, password)
    expect(answer.status).toBe(200)
    expect(entries).toMatchObject([
      {
        action: 'signIn',
        actorKind: 'MEMBER',
        actorId: id,
        actorName: email,
        refusal: null,
      },
    ])
    const token = answer.body.data.accessToken
    const out = await entriesAfter('POST', '/dashboard/auth/logout', token)
    expect(out.entries).toMatchObject([{ action: 'signOut', actorId: id, environment: null }])
  })

  test('with a wrong password is an entry without an actor, and for an unknown address none', async () => {
    const { email, id } = await makeMember()
    const { answer } = await logIn(email, 'a wrong password')
    expect(answer.status).toBe(401)
    await expect
      .poll(() => entriesOf({ targetId: id, action: 'signIn' }))
      .toMatchObject([
        {
          actorKind: 'UNKNOWN',
          actorId: null,
          actorName: null,
          refusal: 'INVALID_CREDENTIALS',
          targetType: 'Member',
          changes: [],
          address: expect.stringMatching(/127\.0\.0\.1$/),
        },
      ])
    const before = await world.runtime.db.auditEntry.count()
    await logIn('nobody@example.com', password)
    expect(await world.runtime.db.auditEntry.count()).toBe(before)
  })

  test('that comes too early is not an entry, so that nobody can fill the log', async () => {
    const { email, id } = await makeMember()
    for (let i = 0; i < 8; i++) await logIn(email, 'a wrong password')
    await expect.poll(() => entriesOf({ targetId: id, action: 'signIn' })).toHaveLength(5)
  })

  test('whose refresh token is used a second time ends, with an entry', async () => {
    const { email, id } = await makeMember()
    const { refreshToken } = (await logIn(email, password)).answer.body.data
    const refresh = (refreshToken: string) =>
      world.post('/dashboard/auth/refresh', undefined, { refreshToken })
    const next = await refresh(refreshToken)
    expect((await refresh(next.body.data.refreshToken)).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await refresh(refreshToken)).status).toBe(401)
    await expect
      .poll(() => entriesOf({ targetId: id, action: 'refreshTokens' }))
      .toMatchObject([{ actorKind: 'UNKNOWN', refusal: 'INVALID_REFRESH_TOKEN' }])
  })

  test('to a closed partner is an entry', async () => {
    const { partnerId } = await world.createPartner()
    const email = `${randomUUID()}@example.com`
    const body = { partnerId, email, password }
    await world.call('POST', '/dashboard/members', { key: operator, body })
    await world.runtime.db.partner.update({
      where: { id: partnerId },
      data: { closedAt: new Date() },
    })
    expect((await logIn(email, password)).answer.status).toBe(403)
    await expect
      .poll(() => entriesOf({ partnerId, action: 'signIn' }))
      .toMatchObject([{ actorKind: 'UNKNOWN', refusal: 'PARTNER_NOT_FOUND' }])
  })

  test('keeps the count of wrong passwords when a change of the password is refused', async () => {
    const { email, id } = await makeMember()
    const token = (await logIn(email, password)).answer.body.data.accessToken
    const change = (currentPassword: string) =>
      entriesAfter('POST', '/dashboard/auth/password', token, {
        currentPassword,
        newPassword: 'another horse battery',
      })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await change('a wrong password')).answer.status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    const refused = { action: 'changePassword', actorId: id, refusal: 'VALIDATION_FAILED' }
    await expect.poll(() => entriesOf(refused)).toHaveLength(5)
  })
})

describe('an operator', () => {
  test('is recorded as an operator in the log of another partner', async () => {
    const { partnerId } = await world.createPartner()
    const path = `/admin/partners/${partnerId}`
    const { entries } = await entriesAfter('PATCH', path, operator, { closed: true })
    expect(entries).toMatchObject([
      { partnerId, actorKind: 'OPERATOR', action: 'closePartner', targetId: partnerId },
    ])
    expect(entries[0]?.changes).toMatchObject([{ field: 'closed_at', from: null }])
  })

  test('is a member in the log of their own partner', async () => {
    const { entries } = await entriesAfter('POST', '/dashboard/members', operator, {
      email: `${randomUUID()}@example.com`,
      password,
    })
    const { partnerId } = world.partner
    expect(entries).toMatchObject([{ partnerId, actorKind: 'MEMBER', environment: null }])
    expect(JSON.stringify(entries)).not.toContain('argon2')
  })
})
