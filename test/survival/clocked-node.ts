/** A node whose clock a test sets: it is ahead of the machine's by the milliseconds in the file CLOCK_FILE. */
import { readFileSync } from 'node:fs'
import { readConfig } from '../../src/kit/config/config.ts'
import { createLog } from '../../src/kit/observability/log.ts'
import { startServer } from '../../src/server.ts'

const file = process.env.CLOCK_FILE as string
const clock = () => new Date(Date.now() + Number(readFileSync(file, 'utf8')))
const config = readConfig()
await startServer(config, { log: createLog(config), clock })
