/** Re-seals all stored values under the first version of the master key, so that older versions can be removed. */
import { sealedSecondFactorColumns } from './accounts/second-factor.ts'
import { refreshTokenMs } from './accounts/sign-in.ts'
import { sealedAgentColumns } from './arena/agents/player.ts'
import type { Db } from './kit/database/db.ts'
import { sealedAnswerColumns } from './kit/http/idempotency.ts'
import type { Job } from './kit/jobs/job.ts'
import type { Runtime } from './kit/runtime.ts'
import { bindTo, type MasterKeys, type SealedColumn, seal, unseal } from './kit/security/seal.ts'
import { sealedDrawColumns } from './lotteries/draw.ts'
import {
  countStale,
  countTokensBefore,
  type RowPlace,
  selectStale,
  updateStale,
} from './master-key-rotation.sql.ts'
import { sealedRewardCodeColumns } from './programme/reward-code.ts'
import { sealedEndpointColumns } from './webhooks/endpoint.ts'

type Progress = { column: string; done: number; stale: number; unreadable: number }

const rowsOfBatch = 200

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/**
 * Re-seals one column. After an interruption the next call continues, because it only finds values that are
 * not done.
 */
const resealColumn = async (
  db: Db,
  keys: MasterKeys,
  column: SealedColumn,
  report: (progress: Progress) => void,
): Promise<Progress> => {
  const progress: Progress = {
    column: `${column.table}.${column.column}`,
    done: 0,
    stale: await countStale(db, keys, column),
    unreadable: 0,
  }
  let after: RowPlace | undefined
  while (progress.stale > 0) {
    const rows = await selectStale(db, keys, column, { after, take: rowsOfBatch })
    const fresh = rows.flatMap(({ place, sealed, partnerId, environment }) => {
      const id = Object.values(place).at(-1) as string
      const binding = bindTo({ partnerId, environment, id }, column.purpose)
      try {
        const text = unseal(keys, binding, sealed)
        return { place, old: base64(sealed), sealed: base64(seal(keys, binding, text)) }
      } catch {
        progress.unreadable++
        return []
      }
    })
    if (fresh.length > 0) progress.done += await updateStale(db, keys, column, fresh)
    after = rows.at(-1)?.place
    if (rows.length > 0) report(progress)
    if (rows.length < rowsOfBatch) break
  }
  return progress
}

/** Every column that holds sealed values. */
export const sealedColumns: SealedColumn[] = [
  ...sealedAnswerColumns,
  ...sealedEndpointColumns,
  ...sealedAgentColumns,
  ...sealedDrawColumns,
  ...sealedSecondFactorColumns,
  ...sealedRewardCodeColumns,
]

type Store = Pick<Runtime, 'db' | 'config' | 'clock'>

type Rotation = {
  resealed: number
  /** Values that no key can open. While there are any, older versions stay recorded. */
  unreadable: number
  /** Older versions that no stored value needs any more. */
  freed: number[]
}

/**
 * Re-seals until a whole pass finds no value under another version than the first, and then forgets the other
 * versions. Other processes may read, write and re-seal at the same time.
 */
export const rotateMasterKey = async (
  { db, config: { masterKeys } }: Pick<Store, 'db' | 'config'>,
  report: (progress: Progress) => void = () => {},
): Promise<Rotation> => {
  const others = { version: { not: masterKeys[0].version } }
  const before = await db.masterKeyVersion.findMany({ where: others })
  for (let resealed = 0; ; ) {
    const passes: Progress[] = []
    for (const column of sealedColumns)
      passes.push(await resealColumn(db, masterKeys, column, report))
    const done = passes.reduce((sum, { done }) => sum + done, 0)
    const stale = passes.reduce((sum, { stale }) => sum + stale, 0)
    const unreadable = passes.reduce((sum, { unreadable }) => sum + unreadable, 0)
    resealed += done
    if (stale > unreadable) continue
    if (unreadable > 0) return { resealed, unreadable, freed: [] }
    const freed = before.map(({ version }) => version)
    await db.masterKeyVersion.deleteMany({ where: { version: { in: freed } } })
    return { resealed, unreadable, freed }
  }
}

type OutdatedTokens = {
  /** The number of signed-in members whose refresh token is older than the first version. */
  signIns: number
  /** The number of sessions of the arena in progress with players who joined before. */
  sessions: number
  /** When the last of these expires; null if there are none. */
  lastEndsAt: Date | null
}

/** Counts tokens signed by older versions. Tokens are not stored, so they cannot be signed again. */
export const countOutdatedTokens = async ({
  db,
  config,
  clock,
}: Store): Promise<OutdatedTokens> => {
  const now = clock()
  const [first] = config.masterKeys
  const [row] = await countTokensBefore(db, first.version, now, refreshTokenMs)
  return row as OutdatedTokens
}

/**
 * Only if this node has a higher version. While nodes are restarted one by one, nodes with a lower version do
 * nothing.
 */
export const masterKeyJobs: Job[] = [
  {
    name: 'rotate-master-key',
    everySeconds: 600,
    run: async (runtime) => {
      const [{ version }] = runtime.config.masterKeys
      const older = { version: { lt: version } }
      if ((await runtime.db.masterKeyVersion.count({ where: older })) === 0) return
      const { resealed, unreadable, freed } = await rotateMasterKey(runtime)
      if (unreadable > 0) runtime.log.error({ unreadable }, 'sealed values cannot be read')
      else runtime.log.info({ resealed, version, freed }, 're-sealed under the new master key')
    },
  },
]
