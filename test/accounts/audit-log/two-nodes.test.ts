import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createDatabase,
  createWorld,
  onPostgres,
  type TestDatabase,
  type World,
} from '../../world.ts'

describe.runIf(onPostgres)('two servers on one database', () => {
  let database: TestDatabase
  let worlds: World[] = []
  beforeAll(async () => {
    database = await createDatabase()
    worlds = await Promise.all([createWorld({ database }), createWorld({ database })])
  })
  afterAll(async () => {
    await Promise.all(worlds.map((world) => world.end()))
    await database?.drop()
  })

  test('write an entry for each of many mutations, and each continues from the one before', async () => {
    const [main, other] = worlds as [World, World]
    const set = (points: number) =>
      (points % 2 ? main : other).graphql(
        `mutation { setRewardRule(input: { eventType: "both", points: ${points} }) { __typename } }`,
        {},
        main.keys,
      )
    await set(1)
    const answers = await Promise.all([...Array(40).keys()].map((i) => set(i + 2)))
    expect(new Set(answers.map(({ body }) => body.data.setRewardRule.__typename))).toEqual(
      new Set(['SetRewardRulePayload']),
    )
    const { db } = main.runtime
    const rule = await db.rewardRule.findFirstOrThrow({ where: { eventType: 'both' } })
    const entries = await db.auditEntry.findMany({ where: { targetId: rule.id } })
    expect(entries).toHaveLength(41)
    const next = new Map(
      entries.flatMap(({ changes }) =>
        (changes as { field: string; from: number | null; to: number }[])
          .filter(({ field }) => field === 'points')
          .map(({ from, to }) => [from, to]),
      ),
    )
    let points: number | null = null
    for (let i = 0; i < 41; i++) points = next.get(points) ?? null
    expect(points).toBe(rule.points)
  })
})
