/** The command `npm run audit` names what was falsified: a counter, a completion and a payment. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/database/db.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { startProgram } from '../server-process.ts'
import { createDatabase, createWorld, type TestDatabase } from '../world.ts'
import { goalsOf } from './goals.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  const world = await createWorld({ database })
  const goals = goalsOf(world)
  const reward = await goals.reward(50)
  const task = { facts: ['POINTS_AWARDED'] as 'POINTS_AWARDED'[], target: 3 }
  await goals.plant([task], { rewardIds: [reward], repeat: 'UNLIMITED', maxCompletions: null })
  await goals.count()
  await world.givePoints('ann', 4)
  await goals.settle()
  await settleDueGrants(world.runtime)
  await world.end()
})
afterAll(() => database?.drop())

/** What the command says is broken. Its code says whether anything is. */
const auditByCommand = async () => {
  const { databaseUrl, dataDir } = database
  const settings = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const command = startProgram(settings, join('bin', 'tessera.js audit'))
  const code = await command.exited
  const output = command.output()
  const broken = [...output.matchAll(/^BROKEN {2}(.*): (\d+) rows$/gm)].map(
    ([, name, count]) => `${count} ${name}`,
  )
  expect(output).toContain(
    broken.length === 0 ? 'Nothing is broken.' : `${broken.length} promises are broken.`,
  )
  expect(code).toBe(broken.length === 0 ? 0 : 1)
  return broken
}

/** Runs statements while no server uses the database. Each has to change one row, unless it changes the table. */
const change = async (statements: string[]) => {
  const { pool, close } = await openDatabase(database)
  try {
    for (const text of statements) {
      const { rowCount } = await pool.query({ text })
      if (!text.startsWith('ALTER')) expect(rowCount).toBe(1)
    }
  } finally {
    await close()
  }
}

/** A statement that no trigger follows. */
const alone = (table: string, statement: string) => [
  `ALTER TABLE ${table} DISABLE TRIGGER USER`,
  statement,
  `ALTER TABLE ${table} ENABLE TRIGGER USER`,
]

const payment = (points: number) =>
  alone(
    'ledger_entry',
    `UPDATE ledger_entry SET points = ${points} WHERE event_type = 'goal_reward'`,
  )

test('nothing is broken', async () => {
  expect(await auditByCommand()).toEqual([])
})

test.each([
  {
    what: 'a counter',
    falsify: ['UPDATE fact_counter SET value = value + 1'],
    repair: ['UPDATE fact_counter SET value = value - 1'],
    broken: ['1 a counter is what its timeline says'],
  },
  {
    what: 'a completion',
    falsify: alone(
      'goal_completion',
      `INSERT INTO goal_completion (id, partner_id, environment, goal_id, user_id, window_start, k, round, reward_ids,
        completed_at, announced_at)
      SELECT gen_random_uuid(), partner_id, environment, goal_id, user_id, window_start, 2, 1, '{}',
        completed_at, announced_at FROM goal_completion`,
    ),
    repair: alone('goal_completion', 'DELETE FROM goal_completion WHERE k = 2'),
    broken: [
      '1 statistics equal the facts',
      '1 a decision is due, or live completions are what the counters say',
      '1 a completion is announced',
    ],
  },
  {
    what: 'a payment',
    falsify: payment(60),
    repair: payment(50),
    broken: [
      "1 a user's balance is the sum of their ledger entries",
      '1 each ledger entry continues the balance of the one before',
      '1 lifetime points are the sum of what was earned',
      '1 statistics equal the facts',
      '1 each entry of a reward is on the timeline, where only a purchase is an activity',
      '1 a grant that was issued was paid once, by one entry of its points',
      '1 the entries of rewards add up to what grants paid, cost and did not get back',
    ],
  },
])('$what that was falsified is named', async ({ falsify, repair, broken }) => {
  await change(falsify)
  const named = await auditByCommand()
  await change(repair)
  expect(named.toSorted()).toEqual(broken.toSorted())
  expect(await auditByCommand()).toEqual([])
})
