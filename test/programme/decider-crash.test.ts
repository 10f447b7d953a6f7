/** Nodes that are killed while they decide: each completion is decided, and paid, once. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase, onPostgres, type TestDatabase } from '../world.ts'

const target = 2
const points = 7

let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  database = await createDatabase()
  server = await startServer(database)
})
afterAll(async () => {
  if (server?.isAlive()) await server.kill('SIGKILL')
  await database?.drop()
})

const restart = async () => {
  await server.kill('SIGKILL')
  server = await startServer(database)
}

const secret = () => demoKeys(database).secretTest

const graphql = async (query: string, variables: object = {}) => {
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': secret() },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await answer.json()
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}

/** Starts a goal with a reward, which is completed at each second award of a type. Returns its slug. */
const makeGoal = async () => {
  const slug = `goal-${randomUUID()}`
  const measure = { facts: ['POINTS_AWARDED'], eventTypes: ['purchase'] }
  const goal = {
    ...{ slug, name: slug, window: 'EVER', repeat: 'UNLIMITED' },
    tasks: [{ target, measure }],
    rewards: [{ slug }],
  }
  const data = await graphql(
    `mutation ($goal: CreateGoalInput!) {
      reward: createReward(input: { name: "${slug}", kind: POINTS, points: ${points} }) { ... on Error { message } }
      goal: createGoal(input: $goal) { ... on Error { message } }
    }`,
    { goal },
  )
  expect(data).toEqual({ reward: {}, goal: {} })
  await change('start', slug)
  return slug
}

const change = async (verb: 'start' | 'pause' | 'end', slug: string) => {
  const data = await graphql(
    `mutation { result: ${verb}Goal(input: { goal: { slug: "${slug}" } }) { ... on Error { message } } }`,
  )
  expect(data).toEqual({ result: {} })
}

/** Awards, and returns the id of the entry; null if the node did not answer. */
const award = async (userId: string, reference: string = randomUUID()) => {
  const body = { userId, eventType: 'purchase', reference }
  const answer = await server.award(secret(), body)
  return answer && (answer.status === 200 || answer.status === 409) ? answer.ledgerId : null
}

/** Awards until it is answered. */
const awardSurely = async (userId: string): Promise<string> => {
  const id = await award(userId)
  if (id === null) throw new Error('an award was not answered')
  return id
}

const reverse = async (ledgerEntryId: string) => {
  const { result } = await graphql(
    `mutation { result: reverseLedgerEntry(input: { ledgerEntryId: "${ledgerEntryId}", reason: "returned" }) {
      ... on Error { message } } }`,
  )
  expect(result).toEqual({})
}

/**
 * The live completions of a user by their numbers, with their rounds, and the statuses of their grants, without those of the
 * demo's goals.
 */
const stateOf = async (userId: string) => {
  const { user } = await graphql(
    `query ($id: String!) { user(by: { externalId: $id }) {
      goalCompletions(first: 100, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { goal { slug } number round revokedAt } }
      grants(first: 100) { nodes { reward { name } status } }
      ledgerEntries(first: 100) { nodes { eventType points } } } }`,
    { id: userId },
  )
  const isOwn = (name: string) => name.startsWith('goal-')
  const completions = user.goalCompletions.nodes as {
    goal: { slug: string }
    number: number
    round: number
    revokedAt: string | null
  }[]
  const entries = user.ledgerEntries.nodes as { eventType: string; points: number }[]
  return {
    live: completions
      .filter(({ goal, revokedAt }) => isOwn(goal.slug) && revokedAt === null)
      .map(({ number, round }) => `${number}/${round}`),
    grants: (user.grants.nodes as { reward: { name: string }; status: string }[])
      .filter(({ reward }) => isOwn(reward.name))
      .map(({ status }) => status)
      .sort(),
    paid: entries
      .filter(({ eventType }) => /^(goal_reward|reward_refund)$/.test(eventType))
      .map((entry) => entry.points)
      .sort(),
  }
}

const untilCounted = (slug: string) =>
  expect
    .poll(async () => (await graphql(`{ goal(by: { slug: "${slug}" }) { isCounting } }`)).goal)
    .toEqual({ isCounting: false })

const checkAudit = async () => {
  await server.kill('SIGTERM')
  const { pool, close } = await openDatabase(database)
  try {
    expect(await audit(pool)).toBe(0)
  } finally {
    await close()
  }
}

/** Where a decision is stopped: behind its grants, behind its completions, and before its end. */
const moments = {
  'before its grants': 'LOCK TABLE reward_grant IN SHARE MODE',
  'after its grants': 'LOCK TABLE goal_completion IN SHARE MODE',
  'before its end': 'SELECT FROM goal_mark FOR UPDATE',
}

/** Has the decider of the node wait in the middle of a decision, kills the node there, and starts another. */
const killInside = async (moment: keyof typeof moments, slug: string) => {
  const holder = new pg.Client({ connectionString: database.databaseUrl as string })
  // A transaction sees the connections of others as they were when it looked first.
  const watcher = new pg.Client({ connectionString: database.databaseUrl as string })
  await Promise.all([holder.connect(), watcher.connect()])
  const rows = async (text: string, values: unknown[] = []) =>
    (await watcher.query(text, values)).rows
  const written = () =>
    rows(`SELECT goal_id AS id, NULL AS at FROM goal_mark
      UNION ALL SELECT id, revoked_at FROM goal_completion
      UNION ALL SELECT id, revoked_at FROM reward_grant ORDER BY 1`)
  try {
    await holder.query('BEGIN')
    await holder.query(moments[moment])
    const held = (await holder.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
    const waiting = () =>
      rows('SELECT pid FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))', [held])
    await change('start', slug)
    // Decisions of somebody else wake the decider at once.
    const other = randomUUID()
    for (let n = 0; n < target; n++) await awardSurely(other)
    await expect.poll(async () => (await waiting()).length).toBe(1)
    const before = await written()
    const [{ pid }] = (await waiting()) as [{ pid: number }]
    await server.kill('SIGKILL')
    await holder.query('COMMIT')
    // Its connection ends when it finds out that nobody listens.
    await expect.poll(() => rows('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).toEqual([])
    expect(await written()).toEqual(before)
  } finally {
    await Promise.all([holder.end(), watcher.end()])
  }
  server = await startServer(database)
}

test.runIf(onPostgres)(
  'a node that is killed in the middle of a decision leaves nothing of it, and the next one decides once',
  async () => {
    const slug = await makeGoal()
    await untilCounted(slug)
    const user = randomUUID()
    const entries: string[] = []
    let live = 0
    for (const moment of Object.keys(moments) as (keyof typeof moments)[]) {
      await change('pause', slug)
      for (let n = 0; n < 2 * target; n++) entries.push(await awardSurely(user))
      await killInside(moment, slug)
      live += 2
      await expect
        .poll(async () => stateOf(user))
        .toEqual({
          live: Array.from({ length: live }, (_, n) => `${n + 1}/1`),
          grants: Array(live).fill('ISSUED'),
          paid: Array(live).fill(points),
        })
    }
    await change('pause', slug)
    for (const entry of entries.slice(0, 3)) await reverse(entry)
    await killInside('before its end', slug)
    await expect
      .poll(async () => stateOf(user))
      .toEqual({
        live: ['1/1', '2/1', '3/1', '4/1'],
        grants: [...Array(4).fill('ISSUED'), ...Array(2).fill('REVOKED')],
        paid: [...Array(2).fill(-points), ...Array(6).fill(points)],
      })
    await checkAudit()
  },
  180_000,
)

test.runIf(!onPostgres)(
  'a node that is killed under load has decided each completion once or not at all, and the next one decides the rest',
  async () => {
    const slug = await makeGoal()
    await untilCounted(slug)
    const users = Array.from({ length: 20 }, () => randomUUID())
    const lives = 3
    for (let life = 0; life < lives; life++) {
      const open = users.flatMap((user) =>
        Array.from({ length: target }, () => ({ user, reference: randomUUID() })),
      )
      let answered = 0
      let killed: Promise<void> | undefined
      const send = async (item: (typeof open)[number]) => {
        if ((await award(item.user, item.reference)) === null) return [item]
        // At another moment each time, and always while decisions are due.
        if (++answered === 10 * (life + 1)) killed = server.kill('SIGKILL')
        return []
      }
      const lost = (await Promise.all(open.map(send))).flat()
      await killed
      expect(server.isAlive()).toBe(false)
      await restart()
      for (const { user, reference } of lost) expect(await award(user, reference)).not.toBeNull()
    }
    for (const user of users)
      await expect
        .poll(async () => stateOf(user))
        .toEqual({
          live: Array.from({ length: lives }, (_, n) => `${n + 1}/1`),
          grants: Array(lives).fill('ISSUED'),
          paid: Array(lives).fill(points),
        })
    await checkAudit()
  },
  180_000,
)
