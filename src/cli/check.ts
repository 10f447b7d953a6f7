/** `tessera check`: whether a server can start here and serve. Changes nothing. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from '../kit/config/config.ts'
import { type Database, openDatabase } from '../kit/database/db.ts'
import { readMigrationState } from '../kit/database/migration-state.ts'
import { explain } from '../kit/database/startup-problem.ts'
import { version } from '../kit/version.ts'
import { onWait, readArguments, runCommand, UsageError } from './command.ts'
import { bad, databaseChecks, type Finding, good, notable } from './database-checks.ts'
import { growthFindings, readSizes } from './growth.ts'

const usage = `tessera check [--disk GB] [--json]

Checks settings, the database, its user and the master key, and says how to mend what is wrong. Says how much the
database grows, and when its disk is full: that of DATA_DIR, or one of so many gigabytes. Changes nothing.
Exit code 0: a server can start. 1: it cannot.`

const oldestNode = 24
const leastFreeMegabytes = 500

/** One finding for each fault. The last line of an error of the database library has the reason. */
const explained = (error: unknown): Finding[] => {
  if (error instanceof ConfigError) return error.message.split('\n').map(bad)
  return [bad(explain(error) ?? String((error as Error).message.trim().split('\n').at(-1)))]
}

const checkNode = (): Finding[] => {
  const { node } = process.versions
  return [
    Number.parseInt(node, 10) < oldestNode
      ? bad(`Node.js ${node} is too old: npm ci installs the right one, and npx tessera uses it`)
      : good(`Tessera ${version} on Node.js ${node}`),
  ]
}

/** The folder itself, or the first one above it that exists. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

/** Free bytes of the disk that has DATA_DIR. */
const freeBytes = ({ dataDir }: Config): number => {
  const { bavail, bsize } = statfsSync(existing(resolve(dataDir)))
  return bavail * bsize
}

const checkSpace = (config: Config): Finding[] => {
  if (config.databaseUrl) return []
  const megabytes = Math.floor(freeBytes(config) / 1_000_000)
  return [
    megabytes < leastFreeMegabytes
      ? bad(`DATA_DIR has ${megabytes} MB of free space: make ${leastFreeMegabytes} MB at least`)
      : good(`DATA_DIR has ${megabytes} MB of free space`),
  ]
}

const checkRedis = async ({ redisUrl }: Config): Promise<Finding[]> => {
  if (!redisUrl) return []
  const { Redis } = await import('ioredis')
  let cause: Error | undefined
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
  }).on('error', (error: Error) => {
    cause ??= error
  })
  try {
    await redis.connect()
    await redis.ping()
    return [good('Redis answers')]
  } catch (error) {
    const { message } = cause ?? (error as Error)
    return [
      notable(
        `Redis does not answer at REDIS_URL (${message}): until it does, notifications use the database, and each node counts its own limits`,
      ),
    ]
  } finally {
    redis.disconnect()
  }
}

/** Checks how much the database grows. Needs its tables. */
const checkGrowth = async (
  database: Database,
  config: Config,
  diskBytes: number | undefined,
): Promise<Finding[]> => {
  const { applied, pending } = await readMigrationState(database.direct)
  if (applied.length === 0 || pending.length > 0) return []
  const sizes = await readSizes(database, config)
  if (diskBytes !== undefined) return growthFindings(sizes, diskBytes - sizes.databaseBytes)
  return growthFindings(sizes, config.databaseUrl ? undefined : freeBytes(config))
}

async function* checkDatabase(config: Config, diskBytes: number | undefined) {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'db')))
    return yield* [notable('DATA_DIR has no database yet: the first start or command makes one')]
  const database = await openDatabase({ ...config, onWait })
  try {
    let isRefused = false
    const grows = (database: Database, config: Config) => checkGrowth(database, config, diskBytes)
    for (const check of [...databaseChecks, grows]) {
      const findings = await check(database, config).catch((error: Error) =>
        // The missing right to read is a finding already.
        isRefused && /permission denied/.test(error.message) ? [] : explained(error),
      )
      isRefused ||= findings.some(({ mark }) => mark === '✗')
      yield* findings
    }
  } finally {
    await database.close()
  }
}

/** Yields each finding as soon as it is known, because a database that does not answer takes a while. */
async function* checkAll(diskBytes: number | undefined): AsyncGenerator<Finding> {
  yield* checkNode()
  try {
    const config = readConfig()
    yield good('The settings are valid')
    yield* config.warnings.map(notable)
    yield* checkSpace(config)
    yield* await checkRedis(config)
    yield* checkDatabase(config, diskBytes)
  } catch (error) {
    yield* explained(error)
  }
}

/** @throws UsageError */
const diskBytesOf = (gigabytes: string | undefined): number | undefined => {
  if (gigabytes === undefined) return undefined
  if (!/^[1-9]\d{0,6}$/.test(gigabytes))
    throw new UsageError('--disk must be a whole number of gigabytes, like 500')
  return Number(gigabytes) * 1_000_000_000
}

await runCommand('check', usage, async () => {
  const { values } = readArguments({ json: { type: 'boolean' }, disk: { type: 'string' } })
  const findings: Finding[] = []
  for await (const finding of checkAll(diskBytesOf(values.disk))) {
    findings.push(finding)
    if (!values.json) console.log(`${finding.mark} ${finding.text}`)
  }
  const faults = findings.filter(({ mark }) => mark === '✗').length
  if (values.json) console.log(JSON.stringify(findings, null, 2))
  else console.log(faults === 0 ? '\nA server can start.' : `\n${faults} of these must be mended.`)
  process.exitCode = faults === 0 ? 0 : 1
})
