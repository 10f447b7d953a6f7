/** Row 21: awards while a wallet is locked that they do not need. */
import pg from 'pg'
import type { Bench } from '../bench.ts'
import { runLoad } from '../load.ts'
import { award, awardTo } from '../loads.ts'
import { limit, type Result } from '../report.ts'
import { median, noteFaults, rounds } from '../rounds.ts'

/** As long as a wait for a lock may take. */
const lockedSeconds = 10
const title = 'POST /v1/points/award, 64 connections'

/** A wallet of LIVE, which shares the process with the awards of TEST but no rows. */
const lockWallet = async ({ postgres }: Bench) => {
  const client = new pg.Client(postgres.url)
  await client.connect()
  await client.query('BEGIN')
  const { rowCount } = await client.query(
    `SELECT FROM end_user WHERE external_id = 'locked' FOR UPDATE`,
  )
  if (rowCount !== 1) throw new Error('the wallet to lock does not exist')
  return () => client.end()
}

/** The p95 of awards in TEST while two callers of LIVE wait for a locked wallet, against the same before. */
export const lockedWalletRow = async (bench: Bench): Promise<Result[]> => {
  const { port, stop } = await bench.startOurs()
  const request = award(bench.demo)
  const { secretLive } = bench.demo.keys
  const held = awardTo({ keys: { ...bench.demo.keys, secretTest: secretLive } }, () => 'locked')
  const load = { port, connections: 64, seconds: lockedSeconds, request }
  const ratios: number[] = []
  await runLoad({ ...load, connections: 1, seconds: 1, request: held })
  for (let round = 1; round <= rounds; round++) {
    await bench.settle()
    const usual = await runLoad(load)
    const release = await lockWallet(bench)
    const waiting = runLoad({ ...load, connections: 2, request: held })
    const locked = await runLoad(load)
    await release()
    await waiting
    noteFaults(title, usual.others)
    noteFaults(`${title}, one wallet locked`, locked.others)
    console.log(
      `  round ${round}: p95 ${usual.p95Ms.toFixed(1)} ms, ${locked.p95Ms.toFixed(1)} ms with a locked wallet`,
    )
    ratios.push(locked.p95Ms / usual.p95Ms)
  }
  await stop()
  const what = `${title}: p95 while a wallet of others is locked for ${lockedSeconds} s, against the usual one`
  return [limit({ row: '21', what, ours: median(ratios), unit: '×', goal: 5 })]
}
