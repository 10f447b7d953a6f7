/**
 * A hundred users watch themselves, on two nodes if there is a PostgreSQL server, while 10,000 awards arrive and half of the
 * connections break.
 */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { createStage } from '../arena/matches/spectators.ts'
import type { World } from '../world.ts'

let stage: Awaited<ReturnType<typeof createStage>>
beforeAll(async () => {
  stage = await createStage()
})
afterAll(() => stage.end())

const watched = 100
const awards = 10_000
const perRequest = 20
const atOnce = 8

const state = `externalId balance lifetimePoints goals { nodes { goal { slug } state tasks { value } } }
  streaks { nodes { length } } grants { nodes { status } } offers { nodes { title } }`
const subscription = `subscription ($externalId: String!) {
  userChanged(by: { externalId: $externalId }) { version user { ${state} } } }`

type User = { externalId: string; balance: number }
type Result = { data: { userChanged: { version: number; user: User | null } } }

/** Watches a user with their token, and connects again when the connection breaks. */
const watchUser = (world: World, externalId: string, headers: Record<string, string>) => {
  const seen = { state: null as User | null, others: 0, backwards: 0, streams: 0, states: 0 }
  let socket: WebSocket | undefined
  let isOver = false
  const follow = async () => {
    const client = createClient({
      url: `${world.base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: headers,
      on: {
        connected: (opened) => {
          socket = opened as WebSocket
        },
      },
    })
    seen.streams++
    let version = 0
    const results = client.iterate({ query: subscription, variables: { externalId } })
    for await (const { data } of results as AsyncIterable<Result>) {
      const { userChanged: change } = data
      if (change.version <= version) seen.backwards++
      if (change.user && change.user.externalId !== externalId) seen.others++
      version = change.version
      seen.state = change.user
      seen.states++
    }
  }
  const done = (async () => {
    while (!isOver) await follow().catch(() => undefined)
  })()
  return {
    seen,
    cut: () => socket?.terminate(),
    end: async () => {
      isOver = true
      socket?.terminate()
      await done
    },
  }
}

test('each ends with the state of a GET, and has seen only its own user', async () => {
  const [world, other] = stage.worlds
  const { secret, public: key } = world.keys
  const goal = await world.graphql(
    `mutation {
      createGoal(input: { slug: "hundred", name: "Hundred", window: DAY, repeat: EACH_WINDOW,
        tasks: [{ target: 1000000, measure: { facts: [POINTS_AWARDED] } }] }) { __typename }
      startGoal(input: { goal: { slug: "hundred" } }) { ... on StartGoalPayload { goal { status } } } }`,
    {},
  )
  expect(goal.body.data.startGoal).toEqual({ goal: { status: 'ACTIVE' } })
  const { mint } = tokenCalls(world)
  const users = Array.from({ length: watched }, (_, n) => `watched-${n}`)
  const watchers = await Promise.all(
    users.map(async (user, n) => {
      const headers = { 'X-API-Key': key, 'X-User-Token': (await mint(user)).token }
      return watchUser(n % 2 === 0 ? world : other, user, headers)
    }),
  )
  await expect
    .poll(() => watchers.every(({ seen }) => seen.states > 0), { timeout: 30_000 })
    .toBe(true)

  let requests = 0
  const sender = async () => {
    while (requests * perRequest < awards) {
      const first = requests++ * perRequest
      // Half of the connections break, at different moments.
      if (first % 200 === 0) watchers[first / 200]?.cut()
      const list = Array.from({ length: perRequest }, (_, n) => {
        return {
          userId: users[(first + n) % watched],
          eventType: 'signup',
          reference: `award-${first + n}`,
        }
      })
      const to = first % 3 === 0 ? other : world
      const { status, body } = await to.post('/v1/points/award/batch', secret, { awards: list })
      expect(status).toBe(200)
      for (const { status } of body.data.results) expect(status).toBe('success')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))

  const read = async (externalId: string) => {
    const { body } = await world.graphql(
      `query ($externalId: String!) { user(by: { externalId: $externalId }) { ${state} } }`,
      { externalId },
    )
    return body.data.user as User
  }
  await expect
    .poll(() => watchers.every(({ seen }) => seen.state?.balance === (awards / watched) * 100), {
      timeout: 10_000,
    })
    .toBe(true)
  for (const [n, { seen }] of watchers.entries()) {
    expect(seen.state).toEqual(await read(users[n] as string))
    expect([seen.others, seen.backwards]).toEqual([0, 0])
  }
  const cut = watchers.filter(({ seen }) => seen.streams > 1)
  expect(cut.length).toBeGreaterThanOrEqual(watched / 2)
  await Promise.all(watchers.map(({ end }) => end()))
})
