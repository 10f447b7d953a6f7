import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { journeyJobs } from '../../src/journeys/journey.jobs.ts'
import { classify, dayMs, defaultRules } from '../../src/journeys/journey.rules.ts'
import { findProfiles, type Profile } from '../../src/journeys/profile.ts'
import { trackEvents } from '../../src/journeys/track.ts'
import { seed } from '../rest/junk.ts'
import { createWorld, type World } from '../world.ts'

let world: World
const start = new Date('2026-06-15T12:34:56.789Z')
let now = start
beforeAll(async () => {
  world = await createWorld({ clock: () => now })
})
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

type Past = {
  ageMs: number
  category: 'GAME_PLAY' | 'CAMPAIGN' | 'CUSTOM' | 'POINTS'
  points: number
  sourceId: string | null
}

const boundary = fc
  .tuple(fc.constantFrom(0, 1, 6, 7, 8, 13, 14, 29, 30, 31), fc.constantFrom(-1, 0, 1))
  .map(([days, ms]) => Math.max(0, days * dayMs + ms))
const ages = fc.oneof(
  boundary,
  fc.integer({ min: 0, max: 40 * dayMs }),
  fc.integer({ min: 0, max: 90 }).map((minutes) => 7 * dayMs + minutes * 60_000),
)
const pasts: fc.Arbitrary<Past> = fc.record({
  ageMs: ages,
  category: fc.constantFrom('GAME_PLAY', 'GAME_PLAY', 'CAMPAIGN', 'CUSTOM', 'POINTS'),
  points: fc.integer({ min: -50, max: 300 }),
  sourceId: fc.constantFrom(null, 'a', 'b', 'c'),
})

/** The profile, computed from the events by plain arithmetic. */
const recompute = (
  events: { at: number; category: string; points: number; sourceId: string | null }[],
) => {
  const within = (days: number) => events.filter(({ at }) => at >= now.getTime() - days * dayMs)
  const plays = (list: typeof events) => list.filter(({ category }) => category === 'GAME_PLAY')
  const earned = (list: typeof events) =>
    list.reduce((sum, { points }) => sum + Math.max(0, points), 0)
  const times = events.map(({ at }) => at).sort((a, b) => a - b)
  const gaps = times
    .slice(1)
    .map((at, i) => at - (times[i] as number))
    .filter((ms) => ms >= 1_800_000)
  const joined = events.filter(({ category, sourceId }) => category === 'CAMPAIGN' && sourceId)
  const facts = {
    totalEvents: events.length,
    totalPlays: plays(events).length,
    totalWins: plays(events).filter(({ points }) => points > 0).length,
    plays7d: plays(within(7)).length,
    plays30d: plays(within(30)).length,
    pointsEarned7d: earned(within(7)),
    pointsEarned30d: earned(within(30)),
    sessionGaps: gaps.length,
    sessionGapMs: gaps.reduce((sum, ms) => sum + ms, 0),
  }
  const activity = {
    firstSeenAt: new Date(times[0] as number),
    lastSeenAt: new Date(times.at(-1) as number),
    totalEvents: events.length,
    campaignsJoined: new Set(joined.map(({ sourceId }) => sourceId)).size,
  }
  const classification = classify(
    { ...activity, recent: [{ from: now, plays: facts.plays30d, points: facts.pointsEarned30d }] },
    now,
    defaultRules,
  )
  return { facts, activity, classification }
}

const read = async (externalId: string): Promise<Profile> => {
  const [profile] = await findProfiles(world.runtime, [world.userKey(externalId)])
  if (!profile || profile instanceof Error) throw profile
  return profile
}

it(`a profile matches its events, whatever their order and batches, at any time (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(pasts, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      fc.array(boundary, { minLength: 1, maxLength: 3 }),
      async (lists, later) => {
        now = start
        const externalId = uuid()
        const events = lists
          .flat()
          .map(({ ageMs, ...rest }) => ({ ...rest, at: start.getTime() - ageMs }))
        let given = 0
        for (const list of lists) {
          const results = await trackEvents(
            world.runtime,
            events.slice(given, given + list.length).map(({ at, ...rest }) => ({
              ...world.userKey(externalId),
              ...rest,
              eventType: 'x',
              occurredAt: new Date(at),
              isTrusted: false,
            })),
          )
          for (const result of results) if (result instanceof Error) throw result
          given += list.length
          const { facts, activity, classification } = recompute(events.slice(0, given))
          const profile = await read(externalId)
          expect(profile).toMatchObject(facts)
          expect(profile.activity).toMatchObject(activity)
          expect(profile.classification).toEqual(classification)
          expect(profile.stored).toMatchObject({
            stage: classification.stage,
            tier: classification.tier,
          })
        }
        for (const ms of later.sort((a, b) => a - b)) {
          now = new Date(start.getTime() + ms)
          const { facts, classification } = recompute(events)
          const profile = await read(externalId)
          expect(profile).toMatchObject(facts)
          expect(profile.classification).toEqual(classification)
        }
      },
    ),
    { seed, numRuns: 60 },
  )
})

it('the sweep reclassifies users at 7, 14 and 30 days, exact to the millisecond', async () => {
  now = start
  const sweep = async () => journeyJobs[0]?.run(world.runtime)
  const externalId = 'idle'
  await trackEvents(world.runtime, [
    {
      ...world.userKey(externalId),
      isTrusted: false,
      category: 'CUSTOM',
      eventType: 'x',
      occurredAt: start,
    },
  ])
  const stages: [string, string | null][] = []
  for (const [days, ms] of [
    [7, 0],
    [7, 1],
    [14, -1],
    [14, 0],
    [30, 0],
    [30, 1],
  ] as const) {
    now = new Date(start.getTime() + days * dayMs + ms)
    await sweep()
    stages.push([`${days} ${ms}`, (await read(externalId)).stored.stage])
  }
  expect(stages).toEqual([
    ['7 0', 'new'],
    ['7 1', 'active'],
    ['14 -1', 'active'],
    ['14 0', 'at_risk'],
    ['30 0', 'at_risk'],
    ['30 1', 'churned'],
  ])
  await trackEvents(world.runtime, [
    { ...world.userKey(externalId), isTrusted: false, category: 'CUSTOM', eventType: 'back' },
  ])
  const { body } = await world.graphql(`{ user(by: { externalId: "idle" }) { journey {
    stage nextStageAt stageReason scoreBreakdown { recency frequency monetary breadth }
    stageChanges { totalCount { value } nodes { previousStage stage reason changedAt } } } } }`)
  expect(body.data.user.journey).toEqual({
    stage: 'ACTIVE',
    nextStageAt: new Date(now.getTime() + 14 * dayMs).toISOString(),
    stageReason: 'last seen 0 days ago, 2 events so far',
    scoreBreakdown: { recency: 100, frequency: 0, monetary: 0, breadth: 0 },
    stageChanges: {
      totalCount: { value: 5 },
      nodes: [
        ['CHURNED', 'ACTIVE'],
        ['AT_RISK', 'CHURNED'],
        ['ACTIVE', 'AT_RISK'],
        ['NEW', 'ACTIVE'],
        [null, 'NEW'],
      ].map(([previousStage, stage]) => ({
        previousStage,
        stage,
        reason: expect.any(String),
        changedAt: expect.any(String),
      })),
    },
  })
  const { rows } = await world.server.database.pool.query({
    text: `SELECT data FROM event WHERE type = 'journey.stage_changed' AND data->>'userId' = 'idle' ORDER BY id`,
  })
  expect(rows.map(({ data }) => [data.previousStage, data.stage])).toEqual([
    ['new', 'active'],
    ['active', 'at_risk'],
    ['at_risk', 'churned'],
    ['churned', 'active'],
  ])
  expect(rows[0].data).toEqual({
    userId: 'idle',
    previousStage: 'new',
    stage: 'active',
    reason: expect.any(String),
    changedAt: new Date(start.getTime() + 7 * dayMs + 1).toISOString(),
  })
})

it('users are classified once by the sweep after awards and plays, and old plays lower the tier', async () => {
  now = start
  await world.givePoints('player', 10)
  for (let i = 0; i < 6; i++)
    await world.post('/v1/games/play', world.keys.public, {
      userId: 'player',
      gameType: 'ENIGMA_BOXES',
    })
  await journeyJobs[0]?.run(world.runtime)
  expect((await read('player')).stored).toMatchObject({ stage: 'active', tier: 'regular' })
  now = new Date(start.getTime() + 30 * dayMs)
  await journeyJobs[0]?.run(world.runtime)
  expect((await read('player')).stored).toMatchObject({ stage: 'at_risk', tier: 'regular' })
  now = new Date(start.getTime() + 30 * dayMs + 1)
  await journeyJobs[0]?.run(world.runtime)
  expect((await read('player')).stored).toMatchObject({ stage: 'churned', tier: 'casual' })
})
