/** The speed of the machine itself, and whether others use it. */
import { createHash } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, ownDatabase, tempFolder } from './bench.ts'
import { scorePgbench } from './pgbench.ts'

const secondsOfScore = 2

/** Above this share of all cores, another program is busy. */
const busyFrom = 0.1

/** How often `work` completes in a second. */
const perSecond = (work: () => unknown): number => {
  const until = performance.now() + secondsOfScore * 1000
  let times = 0
  for (; performance.now() < until; times++) work()
  return times / secondsOfScore
}

const fsyncs = (): number => {
  const file = openSync(join(tempFolder(), 'fsync'), 'w')
  const page = Buffer.alloc(8192, 1)
  const rate = perSecond(() => {
    writeSync(file, page, 0, page.length, 0)
    fdatasyncSync(file)
  })
  closeSync(file)
  return rate
}

const hashes = (): number => {
  const kilobyte = Buffer.alloc(1024, 1)
  return perSecond(() => createHash('sha256').update(kilobyte).digest())
}

/** The share of all cores that is in use while this process sleeps. */
export const busyShare = async (): Promise<number> => {
  const read = () =>
    cpus().reduce(
      ({ busy, all }, { times: { user, nice, sys, irq, idle } }) => ({
        busy: busy + user + nice + sys + irq,
        all: all + user + nice + sys + irq + idle,
      }),
      { busy: 0, all: 0 },
    )
  const before = read()
  await sleep(3_000)
  const after = read()
  return (after.busy - before.busy) / Math.max(1, after.all - before.all)
}

export const isBusy = (share: number): boolean => share > busyFrom

/** One line: the speed of the disk, of one core, and of PostgreSQL's own bench. */
export const scoreMachine = async (bench: Bench): Promise<string> => {
  const { pgbench } = bench.postgres
  const round = (n: number) => Math.round(n).toLocaleString('en')
  const parts = [
    `${round(fsyncs())} fdatasync of 8 KB a second`,
    `${round(hashes())} SHA-256 of 1 KB a second on one core`,
  ]
  if (pgbench) {
    const tps = await scorePgbench(pgbench, await ownDatabase(bench, 'score'), 2 * secondsOfScore)
    parts.push(`${round(tps)} TPC-B-like transactions a second by pgbench with 8 clients`)
  }
  return parts.join(', ')
}
