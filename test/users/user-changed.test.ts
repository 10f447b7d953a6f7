/** Watching a user over WebSocket and as server-sent events: the state first, then after each change. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { messagesOf } from '../../packages/client/src/event-stream.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { statementCounter } from '../count-statements.ts'
import { countAll } from '../programme/goals.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ isAlone: true })
})
afterAll(() => world.end())

type Change = { version: number; user: { externalId: string; balance: number } | null }
type Result = {
  data?: { userChanged: Change } | null
  errors?: { extensions: { code: string } }[]
}

const watch = `subscription ($externalId: String!) {
  userChanged(by: { externalId: $externalId }) { version user { externalId balance } } }`

const award = async (userId: string) => {
  const body = { userId, eventType: 'signup' }
  expect((await world.post('/v1/points/award', world.keys.secret, body)).status).toBe(200)
}

const headersOf = async (userId: string) => ({
  'X-API-Key': world.keys.public,
  'X-User-Token': (await tokenCalls(world).mint(userId)).token,
})

type Headers = Record<string, string>

const bySocket = (headers: Headers) => {
  const client = createClient({
    url: `${world.base.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: headers,
  })
  return {
    watch: (externalId: string, query = watch) =>
      client.iterate({ query, variables: { externalId } }) as AsyncGenerator<Result>,
    end: () => client.dispose(),
  }
}

const byEvents = (headers: Headers) => {
  const controller = new AbortController()
  return {
    watch: async function* (externalId: string, query = watch): AsyncGenerator<Result> {
      const answer = await fetch(`${world.base}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query, variables: { externalId } }),
        signal: controller.signal,
      })
      for await (const { event, data } of messagesOf(answer.body as ReadableStream, () => {}))
        if (event === 'next') yield JSON.parse(data)
    },
    end: () => controller.abort(),
  }
}

const transports = { 'a WebSocket': bySocket, 'server-sent events': byEvents }

/** The next state. */
const next = async (results: AsyncGenerator<Result>): Promise<Change> => {
  const { value } = await results.next()
  expect(value?.errors, JSON.stringify(value)).toBeUndefined()
  return value.data.userChanged
}

/** The next state in which something holds. All states are of the user, and their versions grow. */
const until = async (
  results: AsyncGenerator<Result>,
  externalId: string,
  isIt: (change: Change) => boolean,
) => {
  let version = 0
  for (;;) {
    const change = await next(results)
    expect(change.version).toBeGreaterThan(version)
    version = change.version
    if (change.user) expect(change.user.externalId).toBe(externalId)
    if (isIt(change)) return change
  }
}

const holds = (balance: number) => (change: Change) => change.user?.balance === balance

describe.each(Object.entries(transports))('%s', (name, connect) => {
  const ann = `ann by ${name}`

  test('gets the state of its user first, then after each change', async () => {
    await award(ann)
    const { watch, end } = connect(await headersOf(ann))
    const results = watch(ann)
    expect((await next(results)).user).toEqual({ externalId: ann, balance: 100 })
    await award(ann)
    await until(results, ann, holds(200))
    await award(ann)
    await award(`somebody by ${name}`)
    await until(results, ann, holds(300))
    end()
    await results.return(undefined).catch(() => undefined)
  })

  test('sees a user who begins to exist', async () => {
    const user = `new by ${name}`
    const { watch, end } = connect(await headersOf(user))
    const results = watch(user)
    expect((await next(results)).user).toBeNull()
    await award(user)
    await until(results, user, holds(100))
    end()
    await results.return(undefined).catch(() => undefined)
  })

  test('is refused without a token, with that of another user, and without a credential', async () => {
    const codeOf = async (headers: Headers) => {
      const { watch, end } = connect(headers)
      const { value } = await watch(ann).next()
      end()
      return value.errors?.[0]?.extensions.code
    }
    expect(await codeOf({ 'X-API-Key': world.keys.public })).toBe('MISSING_USER_TOKEN')
    expect(await codeOf(await headersOf('bob'))).toBe('USER_TOKEN_OF_ANOTHER')
    expect(await codeOf({})).toBe('MISSING_API_KEY')
  })

  test('ends when its user is erased', async () => {
    const user = `gone by ${name}`
    await award(user)
    const { watch, end } = connect({ 'X-API-Secret': world.keys.secret })
    const results = watch(user)
    await next(results)
    const { body } = await world.graphql(
      `mutation ($externalId: String!) { eraseUser(input: { user: { externalId: $externalId } }) { __typename } }`,
      { externalId: user },
    )
    expect(body.errors).toBeUndefined()
    for await (const { data } of results) if (data?.userChanged.user === null) break
    expect((await results.next()).done).toBe(true)
    end()
  })
})

test('all kinds of changes are sent: plays, adjustments, joins, grants, offers and streaks', async () => {
  const user = 'everything'
  await award(user)
  const query = `subscription ($externalId: String!) { userChanged(by: { externalId: $externalId }) { version user {
    externalId balance goals(first: 50) { nodes { goal { slug } state completionCount } } grants { nodes { status } }
    offers { nodes { title } } streaks { nodes { goal { slug } length freezes } } } } }`
  const run = async (text: string) => {
    const { body } = await world.graphql(`${text} fragment Outcome on Error { code message }`, {})
    expect(JSON.stringify(body)).not.toMatch(/"errors"|"code"/)
  }
  const { watch, end } = bySocket({ 'X-API-Secret': world.keys.secret })
  const results = watch(user, query)
  const states: string[] = []
  let isOver = false
  const reading = (async () => {
    for await (const result of results) {
      expect(result.errors).toBeUndefined()
      states.push(JSON.stringify(result.data?.userChanged.user))
      if (isOver) return
    }
  })()
  /** Runs a change, and waits for a state that has it. It must not be one that was sent without a change. */
  const sent = async (what: string, change: () => Promise<unknown>) => {
    const before = states.at(-1)
    await change()
    await expect.poll(() => states.at(-1) !== before, { timeout: 3_000, message: what }).toBe(true)
  }
  await expect.poll(() => states.length, { timeout: 5_000 }).toBeGreaterThan(1)
  await sent('play', () =>
    run(
      `mutation { playGame(input: { user: { externalId: "${user}" }, gameType: NEON_WHEEL }) { ...Outcome } }`,
    ),
  )
  await sent('adjustment', () =>
    run(
      `mutation { adjustPoints(input: { user: { externalId: "${user}" }, points: 5, reason: "test" }) { ...Outcome } }`,
    ),
  )
  await sent('grant', async () => {
    await run(
      `mutation { createReward(input: { name: "gift", kind: POINTS, points: 3 }) { ...Outcome } }`,
    )
    await run(`mutation { giveReward(input: { user: { externalId: "${user}" }, reward: { slug: "gift" },
      reference: "gift-1" }) { ...Outcome } }`)
  })
  await sent('offer', () =>
    run(`mutation { createOffer(input: { user: { externalId: "${user}" }, offerType: WELCOME_BONUS, title: "Hi",
      points: 5 }) { ...Outcome } }`),
  )
  await sent('join', () =>
    run(`mutation {
      createGoal(input: { slug: "joined", name: "Joined", repeat: ONCE, joinMode: OPT_IN,
        tasks: [{ target: 5, measure: { facts: [POINTS_AWARDED] } }] }) { ...Outcome }
      startGoal(input: { goal: { slug: "joined" } }) { ...Outcome }
      joinGoal(input: { goal: { slug: "joined" }, user: { externalId: "${user}" } }) { ...Outcome }
    }`),
  )
  await run(`mutation {
    createGoal(input: { slug: "daily", name: "Daily", window: DAY, repeat: EACH_WINDOW,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }], streak: { freezes: { initial: 1, max: 2 } } }) { ...Outcome }
    startGoal(input: { goal: { slug: "daily" } }) { ...Outcome }
  }`)
  await countAll(world.runtime)
  await sent('award', () => award(user))
  await decideGoals(world.runtime)
  await expect.poll(() => states.at(-1), { timeout: 10_000 }).toContain('"length":1')
  await sent('freezes', () =>
    run(
      `mutation { giveStreakFreezes(input: { user: { externalId: "${user}" }, goal: { slug: "daily" }, count: 1 }) { ...Outcome } }`,
    ),
  )
  expect(states.at(-1)).toContain('"freezes":2')
  isOver = true
  await award(user)
  await reading
  end()
})

test('a change is read once for all who watch a user with the same credential and query', async () => {
  const count = statementCounter(world)
  const user = 'popular'
  await award(user)
  const headers = await headersOf(user)
  const watchers = Array.from({ length: 20 }, (_, n) => (n % 2 ? bySocket : byEvents)(headers))
  const streams = watchers.map(({ watch }) => watch(user))
  const all = async (balance: number) => {
    await Promise.all(streams.map((stream) => until(stream, user, holds(balance))))
  }
  await all(100)
  let balance = 100
  const ofAward = await count(() => award('nobody watches'))
  const ofWatched = await count(async () => {
    await award(user)
    balance += 100
    await all(balance)
  })
  // The user is read once. What a query selects beyond the user would be another statement.
  expect(ofWatched - ofAward).toBeLessThanOrEqual(2)
  for (const { end } of watchers) end()
})
