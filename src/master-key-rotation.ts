/** Everything that is sealed moves to the first version of the master key, so that older ones can go. */
import { refreshTokenMs } from './accounts/sign-in.ts'
import { sealedAgentColumns } from './arena/agents/player.ts'
import { sealedAnswerColumns } from './core/http/idempotency.ts'
import type { Job } from './core/job.ts'
import { type Progress, resealColumn } from './core/reseal.ts'
import type { Runtime } from './core/runtime.ts'
import type { SealedColumn } from './core/seal.ts'
import { sealedDrawColumns } from './lotteries/draw.ts'
import { countTokensBefore } from './master-key-rotation.sql.ts'
import { sealedEndpointColumns } from './webhooks/endpoint.ts'

/** Every column that holds sealed values. */
export const sealedColumns: SealedColumn[] = [
  ...sealedAnswerColumns,
  ...sealedEndpointColumns,
  ...sealedAgentColumns,
  ...sealedDrawColumns,
]

type Store = Pick<Runtime, 'db' | 'config' | 'clock'>

export type Rotation = {
  resealed: number
  /** Values that no key opens. While there are any, older versions stay noted. */
  unreadable: number
  /** Older versions that nothing stored needs any more. */
  freed: number[]
}

/**
 * Re-seals until a whole pass finds nothing that is under another version than the first, and then
 * forgets the other versions. Others may read and write meanwhile; several may do this at once.
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

export type OldTokens = {
  /** Signed-in members whose refresh token was made before the first version was in use. */
  signIns: number
  /** Running sessions of the arena with players who joined before that. */
  sessions: number
  /** When the last of all these ends; null when there is none. */
  lastEndsAt: Date | null
}

/** Tokens that older versions have signed: they are stored nowhere, so they cannot be signed anew. */
export const countOldTokens = async ({ db, config, clock }: Store): Promise<OldTokens> => {
  const now = clock()
  const [first] = config.masterKeys
  const [row] = await countTokensBefore(db, first.version, now, refreshTokenMs)
  return row as OldTokens
}

/** A higher version only: while nodes are restarted one by one, those that still seal under a lower one rest. */
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
