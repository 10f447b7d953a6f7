/** Exports with the filters of the lists that they are started from. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runExports } from '../../src/exports/export.jobs.ts'
import { encodeNodeId } from '../../src/kit/node-id.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { countAll, goalsOf } from '../programme/goals.ts'
import { programmeOf } from '../programme/programme.ts'
import { createWorld, type World } from '../world.ts'
import { exporting } from './exporting.ts'

type By = Parameters<World['graphql']>[2]

let world: World
let calls: ReturnType<typeof exporting>
const rewards: string[] = []
const goals: string[] = []
beforeAll(async () => {
  world = await createWorld()
  calls = exporting(world)
  const { createReward, give } = programmeOf(world)
  const mug = await createReward({ name: 'Mug', kind: 'ITEM' })
  const badge = await createReward({ name: 'Badge', kind: 'BADGE' })
  rewards.push(mug.uuid, badge.uuid)
  await give('ann', mug)
  await give('ann', badge)
  await give('ben', mug)
  const { plant } = goalsOf(world)
  const facts = ['POINTS_AWARDED' as const]
  for (const n of [1, 2]) goals.push(await plant([{ facts, target: n }]))
  await countAll(world.runtime)
  await world.givePoints('ann', 2)
  await world.givePoints('ben', 1)
  await decideGoals(world.runtime)
})
beforeEach(async () => {
  await world.runtime.db.dataExport.deleteMany()
})
afterAll(() => world.end())

const made = async (what: string, more: object = {}, by?: By) => {
  const { export: started } = await calls.start(what, more, by)
  await runExports(world.runtime)
  return calls.read(started.id, by)
}

const rowsOf = async (what: string, filter: object = {}, by?: By) => {
  const { url } = await made(what, { filter }, by)
  const text = await (await fetch(calls.here(url))).text()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('exports grants by user, reward, kind and status', async () => {
  const of = async (filter: object) =>
    (await rowsOf('GRANTS', filter)).map(({ externalId, rewardName }) => [externalId, rewardName])
  const [annMug, annBadge, benMug] = await of({})
  expect([annMug, annBadge, benMug]).toEqual([
    ['ann', 'Mug'],
    ['ann', 'Badge'],
    ['ben', 'Mug'],
  ])
  expect(await of({ user: { externalId: 'ben' } })).toEqual([benMug])
  expect(await of({ rewardIds: [rewards[1]] })).toEqual([annBadge])
  expect(await of({ rewardKinds: ['ITEM'] })).toEqual([annMug, benMug])
  expect(await of({ grantStatuses: ['FAILED'] })).toEqual([])
  expect(await of({ goalIds: [] })).toEqual([])
})

test('exports completions by user, goal and whether they were revoked', async () => {
  const [first, second] = goals.map((id) => encodeNodeId('Goal', id))
  const of = async (filter: object) =>
    (await rowsOf('COMPLETIONS', filter)).map(({ externalId, goalSlug }) => [externalId, goalSlug])
  expect((await of({ goalIds: [first] })).sort()).toEqual([
    ['ann', goals[0]],
    ['ben', goals[0]],
  ])
  expect(await of({ goalIds: [second] })).toEqual([['ann', goals[1]]])
  expect(await of({ goalIds: [first], user: { externalId: 'ben' } })).toEqual([['ben', goals[0]]])
  expect(await of({ isRevoked: true })).toEqual([])
  expect(await of({ isRevoked: false })).toHaveLength(3)
})

test('exports events by name or group, in the order of the feed', async () => {
  const { body } = await world.graphql('{ events(first: 100) { nodes { uuid name payload } } }')
  const all = body.data.events.nodes as { uuid: string; name: string; payload: unknown }[]
  const lines = all.map(({ uuid: id, name, payload: data }) => ({ id, name, data }))
  const shown = async (filter: object) =>
    (await rowsOf('EVENTS', filter)).map(({ occurredAt: _, ...row }) => row)
  expect(await shown({})).toEqual(lines)
  const points = lines.filter(({ name }) => name.startsWith('points.'))
  expect(points.length).toBeGreaterThan(0)
  expect(points.length).toBeLessThan(lines.length)
  expect(await shown({ eventNames: ['points.*'] })).toEqual(points)
  expect(await shown({ eventNames: ['points.awarded', 'goal.*'] })).toEqual(
    lines.filter(({ name }) => name === 'points.awarded' || name.startsWith('goal.')),
  )
  expect(await shown({ createdAt: { to: '2020-01-01T00:00:00Z' } })).toEqual([])
})

test('exports the audit log as its list shows it, and hides who operates the service', async () => {
  const owner = { bearer: await world.signInAs('OWNER') }
  const set = (eventType: string, by: By) =>
    world.graphql(
      'mutation ($input: SetRewardRuleInput!) { setRewardRule(input: $input) { __typename } }',
      { input: { eventType, points: 1 } },
      by,
    )
  await set('find_me', owner)
  await set('other', owner)
  await world.runtime.db.auditEntry.create({
    data: {
      id: '019aa000-0000-7000-8000-000000000001',
      ...world.tenant,
      at: new Date('2026-01-01T00:00:00Z'),
      ...{ actorKind: 'OPERATOR', actorName: 'secret@operator.example', address: '10.0.0.1' },
      ...{ userAgent: 'browser', requestId: 'r', action: 'closePartner', changes: [] },
    },
  })
  const rows = await rowsOf('AUDIT_LOG', { auditLog: { search: 'FIND' } }, owner)
  expect(rows).toMatchObject([
    { action: 'setRewardRule', targetType: 'RewardRule', targetName: 'find_me' },
  ])
  const [first] = await rowsOf('AUDIT_LOG', {}, owner)
  expect(first).toMatchObject({
    ...{ action: 'closePartner', actorKind: 'OPERATOR' },
    ...{ actorName: null, address: null, userAgent: null },
  })
  const { body } = await world.graphql('{ auditLog(first: 100) { nodes { uuid } } }', {}, owner)
  const listed = body.data.auditLog.nodes.map(({ uuid }: { uuid: string }) => uuid).reverse()
  const exported = (await rowsOf('AUDIT_LOG', {}, owner)).map(({ id }) => id)
  // The export itself is in the log, too.
  expect(exported.slice(0, listed.length)).toEqual(listed)
})

test('exports the audit log only for those who may read it, who alone see the link', async () => {
  const owner = { bearer: await world.signInAs('OWNER') }
  const analyst = { bearer: await world.signInAs('ANALYST') }
  const { id, url } = await made('AUDIT_LOG', {}, owner)
  expect((await calls.read(id, owner)).url).toBe(url)
  expect(await calls.read(id, analyst)).toMatchObject({ kind: 'AUDIT_LOG', url: null })
  const refused = { code: 'RIGHT_REQUIRED' }
  expect(await calls.start('AUDIT_LOG', {}, analyst)).toMatchObject(refused)
  expect(await calls.start('AUDIT_LOG')).toMatchObject(refused)
  const { memberId } = await world.runtime.db.dataExport.findFirstOrThrow()
  await world.runtime.db.member.update({
    where: { id: memberId ?? '' },
    data: { role: 'ANALYST' },
  })
  expect((await fetch(calls.here(url))).status).toBe(410)
})

test('names a file by the days of the time zone of the partner', async () => {
  const { db } = world.runtime
  const { partnerId: id } = world.tenant
  await db.partner.update({ where: { id }, data: { timeZone: 'America/New_York' } })
  const createdAt = { from: '2026-11-01T04:00:00Z', to: '2026-12-01T05:00:00Z' }
  const { fileName, url } = await made('EVENTS', { format: 'CSV', filter: { createdAt } })
  expect(fileName).toBe('events-test-2026-11.csv')
  const response = await fetch(calls.here(url))
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`)
  await db.partner.update({ where: { id }, data: { timeZone: 'UTC' } })
})
