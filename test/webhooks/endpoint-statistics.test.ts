/** How the server of an endpoint answers, over time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, type Stage } from './stage.ts'

let stage: Stage
let ids: string[]
beforeAll(async () => {
  stage = await createStage()
  const { create } = await stage.client('/v1')
  ids = []
  for (let n = 0; n < 3; n++) ids.push((await create(['points.awarded'])).id)
  await stage.award('ann')
  await stage.settle(ids[0] as string, 'DELIVERED')
  await stage.settle(ids[1] as string, 'FAILED')
  await stage.award('ann', 2)
  await stage.settle(ids[0] as string, 'DELIVERED')
})
afterAll(() => stage.end())

const year = new Date().getUTCFullYear()
const args = `from: "${year - 1}-01-01T00:00:00Z", to: "${year + 1}-12-31T00:00:00Z", interval: MONTH`

type Series = { metric: string; group: string | null; total: number }

test('each endpoint has its own attempts and their time, by outcome', async () => {
  const { body, text } = await stage.world.graphql(`{ webhookEndpoints { nodes { uuid
    all: statistics(${args}) { metric group total }
    byOutcome: statistics(metrics: [WEBHOOK_ATTEMPTS], ${args}, groupBy: OUTCOME) { metric group total } } } }`)
  expect(body.errors, text).toBeUndefined()
  const found = new Map<string, { all: Series[]; byOutcome: Series[] }>(
    body.data.webhookEndpoints.nodes.map((node: { uuid: string }) => [node.uuid, node]),
  )
  const all = (attempts: number) => [
    { metric: 'WEBHOOK_ATTEMPTS', group: null, total: attempts },
    { metric: 'WEBHOOK_ATTEMPT_MS', group: null, total: 5 * attempts },
  ]
  const by = (group: string, total: number) => [{ metric: 'WEBHOOK_ATTEMPTS', group, total }]
  expect(ids.map((id) => found.get(id))).toMatchObject([
    { all: all(3), byOutcome: by('SUCCEEDED', 3) },
    { all: all(1), byOutcome: by('FAILED', 1) },
    { all: all(0), byOutcome: [] },
  ])
})

test('an endpoint has no statistics by campaign, and none of plays', async () => {
  for (const [requested, message] of [
    [
      `${args}, groupBy: CAMPAIGN`,
      'groupBy WEBHOOK_ATTEMPTS has WEBHOOK_ENDPOINT, OUTCOME, not CAMPAIGN',
    ],
    [
      `${args}, metrics: [PLAYS]`,
      'PLAYS has GAME_TYPE, REWARD_TIER, REWARD_TYPE, not WEBHOOK_ENDPOINT',
    ],
  ]) {
    const { body } = await stage.world.graphql(
      `{ webhookEndpoint(id: "${ids[0]}") { statistics(${requested}) { total } } }`,
    )
    expect(body.errors[0].extensions.errors[0].message).toContain(message)
  }
})
