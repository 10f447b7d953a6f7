/** `tessera check`: whether a server can start here and serve. Changes nothing. */
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from '../src/core/config.ts'
import { openDatabase } from '../src/core/db/db.ts'
import { version } from '../src/core/version.ts'
import { explain } from '../src/startup-problem.ts'
import { readArguments, runCommand } from './command.ts'
import { bad, databaseChecks, type Finding, good, notable } from './database-checks.ts'

const usage = `tessera check [--json]

Checks settings, the database, its user and the master key, and says how to mend what is wrong. Changes nothing.
Exit code 0: a server can start. 1: it cannot.`

const oldestNode = 24
const leastFreeMegabytes = 500

/** What is wrong, each fault in a line. Of an error of the database library the last line has the reason. */
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

const checkSpace = ({ dataDir, databaseUrl }: Config): Finding[] => {
  if (databaseUrl) return []
  const { bavail, bsize } = statfsSync(existing(resolve(dataDir)))
  const megabytes = Math.floor((bavail * bsize) / 1_000_000)
  return [
    megabytes < leastFreeMegabytes
      ? bad(`DATA_DIR has ${megabytes} MB of free space: make ${leastFreeMegabytes} MB at least`)
      : good(`DATA_DIR has ${megabytes} MB of free space`),
  ]
}

const checkRedis = async ({ redisUrl }: Config): Promise<Finding[]> => {
  if (!redisUrl) return []
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    ...{ lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 },
    connectTimeout: 3_000,
  }).on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [good('Redis answers')]
  } catch (error) {
    return [bad(`Redis does not answer at REDIS_URL (${(error as Error).message})`)]
  } finally {
    redis.disconnect()
  }
}

const checkDatabase = async (config: Config): Promise<Finding[]> => {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'db')))
    return [notable('DATA_DIR has no database yet: the first start or command makes one')]
  try {
    const database = await openDatabase(config)
    try {
      const findings: Finding[] = []
      for (const check of databaseChecks)
        findings.push(
          ...(await check(database, config).catch((error: Error) =>
            // That the user of the database may not read is a finding already.
            /permission denied/.test(error.message) && findings.some(({ mark }) => mark === '✗')
              ? []
              : explained(error),
          )),
        )
      return findings
    } finally {
      await database.close()
    }
  } catch (error) {
    return explained(error)
  }
}

const checkAll = async (): Promise<Finding[]> => {
  try {
    const config = readConfig()
    return [
      ...checkNode(),
      good('The settings are valid'),
      ...config.warnings.map(notable),
      ...checkSpace(config),
      ...(await checkRedis(config)),
      ...(await checkDatabase(config)),
    ]
  } catch (error) {
    return [...checkNode(), ...explained(error)]
  }
}

await runCommand('check', usage, async () => {
  const { values } = readArguments({ json: { type: 'boolean' } })
  const findings = await checkAll()
  const faults = findings.filter(({ mark }) => mark === '✗').length
  const lines = findings.map(({ mark, text }) => `${mark} ${text}`)
  const verdict = faults === 0 ? 'A server can start.' : `${faults} of these must be mended.`
  console.log(values.json ? JSON.stringify(findings, null, 2) : [...lines, '', verdict].join('\n'))
  process.exitCode = faults === 0 ? 0 : 1
})
