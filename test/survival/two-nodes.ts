/** Two nodes of the server with a clock of the test, and calls that are repeated until one of them answers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { demoKeys, type ServerProcess, startServer } from '../server-process.ts'
import { createDatabase } from '../world.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
type Answer = { status: number; body: any }

/** Two nodes on one PostgreSQL, whose time is `at`. */
export const startTwoNodes = async (at: number) => {
  const database = await createDatabase(true)
  /** The nodes by their place. The place of one that was killed has its dead address. */
  const nodes: ServerProcess[] = []
  const clockFile = join(database.dataDir, 'clock')
  const setClock = (to: number) => writeFileSync(clockFile, String(to - Date.now()))
  const start = async (place: number) => {
    const env = { CLOCK_FILE: clockFile }
    nodes[place] = await startServer(database, env, 'test/survival/clocked-node.ts')
  }
  setClock(at)
  await start(0)
  await start(1)
  const secret = demoKeys(database).secretTest

  /** One call to the node of a place. Null if it was not answered. */
  const send = async (place: number, path: string, body?: object): Promise<Answer | null> => {
    try {
      const answer = await fetch(`${nodes[place % nodes.length]?.base}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-secret': secret, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      return null
    }
  }

  const seen = { repeated: 0 }
  let turn = 0
  /** Repeats a call, at one node and the other, until it is answered. */
  const call = async (path: string, body?: object): Promise<Answer> => {
    for (let place = turn++; ; place++) {
      const answer = await send(place, path, body)
      if (answer && answer.status < 500) return answer
      seen.repeated++
      await sleep(20)
    }
  }

  const graphql = async (query: string, variables: object = {}) => {
    const { body } = await call('/graphql', { query, variables })
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data
  }

  return {
    seen,
    setClock,
    call,
    graphql,
    /** All items of a list of a user, page by page. */
    pagesOf: async (userId: string, list: string, fields: string) => {
      const items = []
      for (let after: string | null = null; ; ) {
        const data = await graphql(
          `query ($id: String!, $after: String) { user(by: { externalId: $id }) {
            list: ${list}(first: 50, after: $after) { nodes { ${fields} } pageInfo { endCursor hasNextPage } } } }`,
          { id: userId, after },
        )
        if (!data.user) return []
        const { nodes: page, pageInfo } = data.user.list
        items.push(...page)
        if (!pageInfo.hasNextPage) return items
        after = pageInfo.endCursor
      }
    },
    /**
     * Runs actions by some callers at a time. When half of them are done, the second node is killed; afterwards it is started
     * again.
     */
    runWithKill: async (actions: (() => Promise<unknown>)[], callers: number) => {
      const open = [...actions]
      let done = 0
      let killed: Promise<void> | undefined
      const caller = async () => {
        for (let act = open.shift(); act; act = open.shift()) {
          await act()
          if (++done === Math.floor(actions.length / 2)) killed = nodes[1]?.kill('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
      await killed
      expect(nodes[1]?.isAlive()).toBe(false)
      await start(1)
    },
    /** Ends the goals of the demo, so that only those of the test count. */
    endGoalsOfDemo: async () => {
      const { goals } = await graphql('{ goals(first: 50) { nodes { id } } }')
      for (const { id } of goals.nodes)
        await graphql(
          `mutation { endGoal(input: { goal: { id: "${id}" } }) { ... on Error { message } } }`,
        )
    },
    /** Stops both nodes, and compares everything that they have written. */
    checkAll: async () => {
      for (const node of nodes) await node.kill('SIGTERM')
      const { pool, close } = await openDatabase(database)
      try {
        expect(await audit(pool)).toBe(0)
      } finally {
        await close()
      }
    },
    end: async () => {
      for (const node of nodes) if (node.isAlive()) await node.kill('SIGKILL')
      await database.drop()
    },
  }
}

export type TwoNodes = Awaited<ReturnType<typeof startTwoNodes>>
