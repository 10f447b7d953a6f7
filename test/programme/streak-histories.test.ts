/**
 * Streaks of users who move between time zones, by HTTP, against a naive model that takes local dates from Intl. It proves what
 * surrounds the arithmetic of streak-zones.test.ts: the dates of the database, late facts, calls of partners, what is kept, and
 * that time alone keeps it true.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueStreaks } from '../../src/programme/streak-settling.ts'
import { createWorld, type World } from '../world.ts'
import { countAll } from './goals.ts'
import {
  dateOf,
  dayIn,
  dayMs,
  dayOf,
  hourMs,
  laterOf,
  modelAt,
  move,
  numberOf,
  plan,
  randomOf,
  type Stay,
  skippedBy,
  start,
  zones,
} from './streak-model.ts'

let world: World
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => new Date(now), isAlone: true })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const run = async (text: string, variables: Record<string, unknown> = {}) => {
  const { body } = await world.graphql(text, variables)
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined()
  return body.data
}

type Player = {
  id: string
  stays: Stay[]
  facts: number[]
  freezes: { on: string; count: number }[]
  pauses: { from: string; until: string | null }[]
  restores: { brokenOn: string; restoredOn: string }[]
}

const expectedOf = ({ stays, facts, freezes, pauses, restores }: Player) => {
  const today = dayOf(stays, now)
  const met = [...new Set(facts.map((at) => dayOf(stays, at)))]
  const record = { met, freezes, pauses, restores, skipped: skippedBy(stays, now) }
  return modelAt(plan, record, today, dateOf(numberOf(dayIn('UTC', start)) - 2, 0))
}

const isPaused = ({ pauses }: Player, today: string) =>
  pauses.some(({ from, until }) => from <= today && (until === null || until > today))

/** Does something to a streak, by HTTP and in the model, which also says whether it is refused. Returns its name. */
const change = async (player: Player, random: (below: number) => number): Promise<string> => {
  const today = dayOf(player.stays, now)
  const later = (days: number) => dateOf(numberOf(today) + days, 0)
  const call = async (name: string, more = '') => {
    const data =
      await run(`mutation { result: ${name}(input: { user: { externalId: "${player.id}" }, goal: { slug: "daily" } ${more} }) {
      ... on Error { code } } }`)
    return data.result.code ?? null
  }
  const isOff = isPaused(player, today)
  const kind = random(5)
  if (kind === 0) {
    player.freezes.push({ on: today, count: 1 })
    expect(await call('giveStreakFreezes', ', count: 1')).toBeNull()
    return 'freeze'
  }
  if (kind === 1) {
    const days = random(3) ? 1 + random(4) : null
    const code = await call('pauseStreak', days === null ? '' : `, days: ${days}`)
    expect(code).toBe(isOff ? 'STREAK_PAUSED' : null)
    if (!isOff) player.pauses.push({ from: today, until: days === null ? null : later(days) })
    return isOff ? 'refused' : 'pause'
  }
  if (kind === 2) {
    expect(await call('endStreakPause')).toBe(isOff ? null : 'STREAK_NOT_PAUSED')
    for (const pause of player.pauses)
      if (pause.until === null || pause.until > today) pause.until = laterOf(pause.from, today)
    return isOff ? 'end' : 'refused'
  }
  if (kind === 3) {
    const { brokenOn } = expectedOf(player)
    const isInTime = brokenOn !== null && numberOf(today) < numberOf(brokenOn) + 1 + 3
    expect(await call('restoreStreak')).toBe(isInTime ? null : 'STREAK_NOT_BROKEN')
    if (isInTime) player.restores.push({ brokenOn, restoredOn: today })
    return isInTime ? 'restore' : 'refused'
  }
  if ((player.stays.at(-1) as Stay).since > now + 600_000) return 'none'
  const zone = zones[random(zones.length)] as string
  await run(
    `mutation ($zone: TimeZone) { trackUser(input: { user: { externalId: "${player.id}" }, timeZone: $zone }) { __typename } }`,
    { zone },
  )
  move(player.stays, now, zone)
  return 'move'
}

test('the streaks of 60 users of the service are those of the model, each day', async () => {
  const random = randomOf(11)
  await run(`mutation {
    createGoal(input: { slug: "daily", name: "Daily", window: DAY, repeat: EACH_WINDOW,
      tasks: [{ target: 1, measure: { facts: [ACTIVITY], eventTypes: ["visit"] } }],
      streak: { freezes: { initial: 1, max: 3, everyDays: 4 } } }) { __typename }
    startGoal(input: { goal: { slug: "daily" } }) { __typename } }`)
  await countAll(world.runtime)
  const players: Player[] = Array.from({ length: 60 }, (_, n) => {
    const stays = [{ since: 0, zone: zones[n % zones.length] as string, notBefore: '' }]
    return { id: `user-${n}`, stays, facts: [], freezes: [], pauses: [], restores: [] }
  })
  for (const { id, stays } of players)
    await run(
      `mutation ($zone: TimeZone) { trackUser(input: { user: { externalId: "${id}" }, timeZone: $zone }) { __typename } }`,
      { zone: stays[0]?.zone },
    )
  const settle = async () => {
    await decideGoals(world.runtime)
    await settleDueStreaks(world.runtime)
  }
  const seen = new Map<string, number>()
  for (let day = 1; day <= 24; day++) {
    now = start + day * dayMs + random(18) * hourMs
    // What happened before arrives late, but in time.
    const activities = players.flatMap((player) => {
      if (random(100) >= 68) return []
      const at = now - random(20) * hourMs
      if (at < start) return []
      player.facts.push(at)
      const item = {
        category: 'CUSTOM',
        eventType: 'visit',
        occurredAt: new Date(at).toISOString(),
      }
      return { user: { externalId: player.id }, ...item }
    })
    const sent = await run(
      `mutation ($activities: [ActivityInput!]!) { trackActivities(input: { activities: $activities }) { __typename } }`,
      { activities },
    )
    expect(sent.trackActivities.__typename).toBe('TrackActivitiesPayload')
    await settle()
    for (const player of players) {
      if (random(8)) continue
      const name = await change(player, random)
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }
    await settle()
    const { rows } = await world.server.database.pool.query({
      text: `SELECT u.external_id AS id, s.length, s.longest, s.freezes, s.broken_on::text AS "brokenOn"
        FROM streak s JOIN end_user u ON u.id = s.user_id`,
      values: [],
    })
    for (const { id, ...kept } of rows) {
      const player = players.find((player) => player.id === id) as Player
      expect(kept, `${id} on day ${day}: ${JSON.stringify(player)}`).toEqual(expectedOf(player))
    }
  }
  for (const player of players) {
    const { body } = await world.get(`/v1/users/${player.id}/streaks`, world.keys.secret)
    expect(body.data, player.id).toMatchObject([expectedOf(player)])
  }
  for (const name of ['freeze', 'pause', 'end', 'restore', 'refused', 'move'])
    expect(seen.get(name), name).toBeGreaterThanOrEqual(3)
}, 300_000)
