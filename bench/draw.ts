/**
 * Runs one draw of many tickets in a separate process, so that its memory can be measured. Prints its
 * measurements as JSON; progress goes to stderr.
 */

import { openPepper } from '../src/kit/access/pepper.ts'
import { systemClock } from '../src/kit/clock.ts'
import { readConfig } from '../src/kit/config/config.ts'
import { openDatabase } from '../src/kit/database/db.ts'
import { acrossTenants } from '../src/kit/database/tenant-client.ts'
import { usd } from '../src/kit/money.ts'
import { cryptoRandom } from '../src/kit/random.ts'
import { keepDraws } from '../src/lotteries/draw.ts'
import { CreateLottery, createLottery } from '../src/lotteries/lottery.ts'
import { runDraw } from '../src/lotteries/run-draw.ts'
import { makeNodes } from '../src/lotteries/tree.ts'
import { seedTickets } from './seed-tickets.ts'

export type DrawMeasured = {
  drawSeconds: number
  scanSeconds: number[]
  wins: number
  memoryBeforeMb: number
  memoryPeakMb: number
}

const tell = (text: string) => process.stderr.write(`  ${text}\n`)
const megabytes = () => process.memoryUsage().rss / 2 ** 20
const seconds = async (run: () => Promise<unknown>) => {
  const start = performance.now()
  await run()
  return (performance.now() - start) / 1000
}

const main = async (partnerId: string, tickets: number): Promise<DrawMeasured> => {
  const config = readConfig()
  const { db, pool, close } = await openDatabase(config)
  const pepper = await openPepper(db, systemClock, config.masterKeys)
  const keys = { master: config.masterKeys, pepper }
  const work = { tx: db, clock: systemClock, random: cryptoRandom, keys, singletons: new Map() }
  const lottery = await createLottery(work, {
    partnerId,
    environment: 'TEST',
    isOperator: false,
    ...CreateLottery.parse({
      slug: `bench-${Date.now()}`,
      name: 'Bench',
      frequency: 'DAILY',
      rules: {
        mainRange: { count: 6, min: 1, max: 49 },
        bonusRange: { count: 1, min: 1, max: 10 },
        potBase: usd(100_000_000),
        tiers: [
          {
            name: 'Jackpot',
            mainMatches: 6,
            bonusMatches: 1,
            prize: { potShareBasisPoints: 6_000 },
          },
          {
            name: 'Second',
            mainMatches: 5,
            bonusMatches: 0,
            prize: { potShareBasisPoints: 2_000 },
          },
          { name: 'Third', mainMatches: 4, bonusMatches: 0, prize: { amount: usd(5_000) } },
          { name: 'Fourth', mainMatches: 3, bonusMatches: 0, prize: { amount: usd(1_000) } },
        ],
      },
    }),
  })
  await keepDraws(work, lottery.id)
  const draw = await db.lotteryDraw.findFirstOrThrow({ where: { lotteryId: lottery.id } })
  await seedTickets(pool, { draw, partnerId, tickets, tell })
  // As the job does every two seconds while entries come in.
  const nodeSeconds = await seconds(async () =>
    makeNodes(work, await db.lotteryDraw.findUniqueOrThrow({ where: { id: draw.id } })),
  )
  tell(`nodes of the tree, made while the draw is open: ${nodeSeconds.toFixed(2)} s`)

  const scan = () => pool.query({ text: 'SELECT count(leaf) FROM lottery_ticket' })
  await scan() // into memory
  const scanSeconds = [await seconds(scan), await seconds(scan), await seconds(scan)]
  tell(`sequential scans: ${scanSeconds.map((s) => s.toFixed(2)).join(', ')} s`)

  global.gc?.()
  const memoryBeforeMb = megabytes()
  let memoryPeakMb = memoryBeforeMb
  const start = performance.now()
  const sampler = setInterval(() => {
    memoryPeakMb = Math.max(memoryPeakMb, megabytes())
  }, 5)
  const drawSeconds = await seconds(() =>
    runDraw(work, draw.id, {
      early: true,
      report: ({ status, root, settled }) => {
        tell(
          `${((performance.now() - start) / 1000).toFixed(2)} s: ${status}${root ? ', root published' : ''}: ${Math.round((100 * settled) / tickets)} % settled, ${Math.round(megabytes())} MB`,
        )
      },
    }),
  )
  clearInterval(sampler)
  scanSeconds.push(await seconds(scan), await seconds(scan))
  const wins = await acrossTenants(db, 'OPERATOR').lotteryWin.count({ where: { drawId: draw.id } })
  await close()
  return { drawSeconds, scanSeconds, wins, memoryBeforeMb, memoryPeakMb }
}

console.log(JSON.stringify(await main(process.argv[2] as string, Number(process.argv[3]))))
