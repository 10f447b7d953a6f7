/** The tools of this suite work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyCluster, startCluster } from './cluster.ts'

const now = 'SELECT count(*)::int AS n FROM note'

test('a cluster keeps its data after a crash, and does not answer while it is frozen', async () => {
  const cluster = await startCluster()
  try {
    await cluster.query('CREATE TABLE note (); INSERT INTO note DEFAULT VALUES')
    await cluster.stop('immediate')
    await expect(cluster.query(now)).rejects.toThrow()
    await cluster.start()
    expect(await cluster.query(now)).toEqual([{ n: 1 }])
    cluster.freeze()
    const answer = cluster.query(now)
    expect(await Promise.race([answer, sleep(300, 'none')])).toBe('none')
    cluster.thaw()
    expect(await answer).toEqual([{ n: 1 }])
  } finally {
    await cluster.end()
  }
})

test('a standby follows its primary, and is promoted', async () => {
  const primary = await startCluster({ settings: { wal_level: 'replica' } })
  const standby = await startCluster({ data: await copyCluster(primary.url()) })
  try {
    await primary.query('CREATE TABLE note (); INSERT INTO note DEFAULT VALUES')
    const follows = () => standby.query(now).catch(() => [])
    while ((await follows()).length === 0) await sleep(20)
    await primary.stop('immediate')
    await standby.query('SELECT pg_promote()')
    await standby.query('INSERT INTO note DEFAULT VALUES')
    expect(await standby.query(now)).toEqual([{ n: 2 }])
  } finally {
    await primary.end()
    await standby.end()
  }
})
