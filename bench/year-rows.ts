/**
 * The rows of the bench after a month of awards and after more: `node bench/year-rows.ts 10 12` compares a ledger and timelines of a
 * month, ten entries for each second, with those of a year, which take 230 GB. `BENCH_AMONG=10000 node bench/year-rows.ts 1 12 400MB 19`
 * does so with a tenth of the awards, of the users and of the memory of a machine with 24 GB: 19 GB of it are held while rows are
 * measured. The third is `shared_buffers`. `10 12 4GB 0 /mnt/space 3` puts the tables into an empty folder of the user `postgres`, with
 * timelines of the last three months only.
 */
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareBench } from './bench.ts'
import { atEnd, endChild, runToEnd } from './child.ts'
import * as loads from './loads.ts'
import { scoreMachine } from './machine.ts'
import { monthBefore, preparePast, say } from './past.ts'
import { faults } from './rounds.ts'
import { compareSides, type OpenRow, overHttp, rows as rowsOfBench } from './sides.ts'

const [, , perSecond = '0.1', months = '12', memory = '1GB', held = '0', folder, timelines] =
  process.argv
const secondsOfWarmUp = 15

const ofBench = (row: string): [what: string, row: OpenRow] => rowsOfBench[row] as [string, OpenRow]
/** Rows that evict the others from memory come last. */
const rows: [what: string, row: OpenRow][] = [
  ofBench('4'),
  ofBench('5'),
  ['first pages of history and timeline of any user, 4 connections', overHttp('lists', 4)],
  ofBench('7'),
  ofBench('2'),
  ofBench('11'),
  ['awards with references by time, 64 connections', overHttp('awardByTime', 64)],
  ['awards to new users, 64 connections', overHttp('awardNew', 64)],
  ['awards with references at random, 64 connections', overHttp('award', 64)],
  ofBench('14'),
]

/** Allocates memory and holds it to the end. */
const hold = async (gigabytes: number): Promise<void> => {
  const script = `globalThis.held = Array.from({ length: ${gigabytes} }, () => Buffer.alloc(1e9, 1)); setInterval(() => {}, 1e9)`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  atEnd(() => endChild(child, 'SIGKILL'))
  await sleep(gigabytes * 1_000)
}

/** A server after `count` months, up to the last whole one. */
const prepareSide = async (name: string, count: number) => {
  const settings = { wal_level: 'minimal', max_wal_senders: '0', shared_buffers: memory }
  const bench = await prepareBench(undefined, settings)
  const own = folder && join(folder, String(count))
  if (folder && own) {
    mkdirSync(own)
    atEnd(() => rmdirSync(own))
    const { uid, gid } = statSync(folder)
    chownSync(own, uid, gid)
  }
  const { fillMonths, warm, megabytes } = await preparePast(bench.postgres, {
    ...{ partnerId: bench.demo.partnerId, prefix: 'user-', folder: own },
  })
  await fillMonths(
    Array.from({ length: count }, (_, n) => monthBefore(count - n)),
    { perSecond: Number(perSecond), ...(timelines && { timelines: Number(timelines) }) },
  )
  return { name, bench, loads, warm, megabytes }
}

const main = async (): Promise<boolean> => {
  const young = await prepareSide('after a month', 1)
  const old = await prepareSide(`after ${months} months`, Number(months))
  const sides = [young, old]
  const lines = [`The machine: ${await scoreMachine(young.bench)}`]
  for (const { name, megabytes, bench } of sides) {
    const [ledger, timeline] = [await megabytes('ledger_entry'), await megabytes('user_activity')]
    lines.push(
      `PostgreSQL ${bench.postgres.version} ${name}: ledger of ${ledger} MB, timelines of ${timeline} MB`,
    )
  }
  await hold(Number(held))
  for (const [what, row] of rows) {
    for (const { warm } of sides) await warm()
    const line = await compareSides(what, row, sides, secondsOfWarmUp)
    say(line)
    lines.push(line)
  }
  console.log(`\n${lines.join('\n')}`)
  for (const fault of faults) console.log(`!!! ${fault}`)
  return faults.length === 0
}

await runToEnd(main)
