/** Row 17: awards that goals count, against awards of another type that none counts. */
import type { Bench } from '../bench.ts'
import { awardTo } from '../loads.ts'
import { compare, limit, type Result } from '../report.ts'
import { alternateRounds, httpContender, median, rounds } from '../rounds.ts'

const title = 'POST /v1/points/award, 64 connections'

/** How many counters count each type. Their targets are never reached, so that only counting is measured. */
const countersOf = { daily_login: 0, signup: 1, purchase: 3 }

const windows = ['EVER', 'DAY', 'WEEK']

const startGoal = async (port: number, secret: string, slug: string, goal: string) => {
  const query = `mutation {
    createGoal(input: { slug: "${slug}", name: "${slug}", countFrom: NOW, ${goal} }) { __typename }
    startGoal(input: { goal: { slug: "${slug}" } }) { __typename } }`
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': secret },
    body: JSON.stringify({ query }),
  })
  const text = await answer.text()
  if (!text.includes('StartGoalPayload')) throw new Error(`goal not started: ${text}`)
}

export const countersRow = async (bench: Bench): Promise<Result[]> => {
  const { pid, port, stop } = await bench.startOurs()
  for (const [eventType, counters] of Object.entries(countersOf))
    for (const window of windows.slice(0, counters)) {
      const measure = `{ facts: [POINTS_AWARDED], eventTypes: ["${eventType}"] }`
      const goal = `window: ${window}, repeat: ONCE, tasks: [{ target: 1000000, measure: ${measure} }]`
      const slug = `${eventType.replace('_', '-')}-${window.toLowerCase()}`
      await startGoal(port, bench.demo.keys.secretTest, slug, goal)
    }
  const contenders = Object.entries(countersOf).map(([eventType, counters]) => {
    const request = awardTo(bench.demo, undefined, eventType)
    return httpContender(`${counters} counters`, { pid, port, connections: 64, request })
  })
  const [none = [], , three = []] = await alternateRounds(contenders, bench.settle)
  await stop()
  const [withNone = Number.NaN, withOne = Number.NaN, withThree = Number.NaN] = contenders.map(
    ({ othersMicros = [] }) => median(othersMicros.slice(-rounds)),
  )
  console.log(`  CPU of the database: ${[withNone, withOne, withThree].map(Math.round)} µs`)
  const what = `${title}, counted by three goals`
  const against = 'the same, counted by none'
  return [
    compare({ row: '17', what, against, ours: median(three), rival: median(none), goal: 0.77 }),
    limit({
      row: '17',
      what: `${title}, CPU of the database for one counter`,
      ours: withOne - withNone,
      unit: 'µs',
      goal: 14,
    }),
  ]
}
