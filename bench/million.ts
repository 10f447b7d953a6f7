/**
 * Awards points to 1,000 users of the embedded database in `DATA_DIR`, as requests do once they have been read, and
 * prints the rate per second for each tenth. The argument is the total number of awards.
 */
import { readConfig } from '../src/core/config.ts'
import { createLog } from '../src/core/log.ts'
import { externalId } from '../src/core/user-id.ts'
import { awardPoints } from '../src/points/points.ts'
import { startServer } from '../src/server.ts'

const awards = Number(process.argv[2])
const callers = 128
const users = 1_000

const config = readConfig({
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: process.env.DATA_DIR,
  ARENA_MATCHMAKER: 'off',
  DEMO_PAST: 'off',
  LOG_LEVEL: 'error',
})
const { runtime, demo, stop } = await startServer(config, { log: createLog(config) })
const partnerId = demo?.partnerId as string

let sent = 0
const awardOne = () =>
  runtime.write(awardPoints, {
    partnerId,
    environment: 'TEST' as const,
    externalId: externalId().parse(`user-${1 + Math.floor(Math.random() * users)}`),
    eventType: 'purchase',
    reference: `order-${Math.random()}-${sent++}`,
  })

for (let tenth = 1; tenth <= 10; tenth++) {
  const startedAt = performance.now()
  const until = (awards * tenth) / 10
  const call = async () => {
    while (sent < until) await awardOne()
  }
  const before = sent
  await Promise.all(Array.from({ length: callers }, call))
  console.log(Math.round((sent - before) / ((performance.now() - startedAt) / 1000)))
}
await stop()
process.exit(0)
