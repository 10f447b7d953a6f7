/** Watches how far the standby has replayed what the primary has committed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../coalesce.ts'
import type { Asker } from './asker.ts'

/** Why the standby is not used. */
export type Unusable = 'unreachable' | 'no-standby' | 'other-database' | 'lagging' | 'no-primary'

const unusable: Record<Unusable, string> = {
  unreachable: 'The standby is unreachable: all reads go to the primary',
  'no-standby': 'DATABASE_READ_URL leads to no standby: all reads go to the primary',
  'other-database': 'DATABASE_READ_URL leads to another database: all reads go to the primary',
  lagging: 'The standby is too far behind: all reads go to the primary',
  'no-primary': 'The primary does not say how far it is: all reads go to it',
}
const aloneReason = 'The primary is unreachable: reads are served from the standby alone'

const probeEveryMs = 250
const pollEveryMs = 5
/** How long a caller waits for the standby to replay what they wrote. */
const replayMs = 150
/** The primary counts as unreachable when it has not answered for this long. */
const goneMs = 2_000

/** Tells apart databases of the same name, and servers with the same address. */
export const identity = `(SELECT system_identifier FROM pg_control_system())::text || ' ' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS id`
const ofPrimary = `SELECT ${identity}, CASE WHEN NOT pg_is_in_recovery()
  THEN (pg_current_wal_flush_lsn() - '0/0')::float8 END AS lsn`
const ofStandby = `SELECT ${identity}, CASE WHEN pg_is_in_recovery()
  THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS lsn`
type Place = { id: string; lsn: number | null }

/** The primary had flushed this at some time after `at`. */
type Sample = { at: number; lsn: number }

export type Standby = ReturnType<typeof watchStandby>

type Options = {
  /** How far the standby may be behind. */
  maxLagMs: number
  /** Whether it serves while the primary is unreachable. */
  alone: boolean
  /** Called after each probe. */
  onState(state: { reason: string | null; isReachable: boolean }): void
}

/** How long the standby has been behind; 0 if it had replayed all that the primary had flushed. */
const lagOf = (samples: Sample[], replayed: number): number => {
  const missing = samples.find(({ lsn }) => lsn > replayed)
  return missing ? performance.now() - missing.at : 0
}

/** The last sample that was replayed, and those after it. */
const withoutOld = (samples: Sample[], replayed: number): Sample[] => {
  const first = samples.findIndex(({ lsn }) => lsn > replayed)
  const kept = first < 0 ? samples.slice(-1) : samples.slice(Math.max(0, first - 1))
  // What is far behind is measured from its begin.
  return kept.length > 1_000 ? [...kept.slice(0, 500), ...kept.slice(-500)] : kept
}

export const watchStandby = (
  primary: Asker,
  standby: Asker,
  { maxLagMs, alone, onState }: Options,
) => {
  const closing = new AbortController()
  let samples: Sample[] = []
  let primaryId: string | undefined
  let primaryAt = performance.now()
  let replayed = -1
  let lagMs = Number.NaN
  let why: Unusable | null = 'unreachable'
  let isAlone = false
  /** What the standby must have replayed before it is used again, so that no caller goes back in time. */
  let floor = Number.POSITIVE_INFINITY

  const askPrimary = async (): Promise<Sample | null> => {
    const at = performance.now()
    const place = await primary.ask<Place>(ofPrimary)
    if (!place?.lsn) return null
    primaryId = place.id
    primaryAt = performance.now()
    const sample = { at, lsn: place.lsn }
    samples.push(sample)
    if (floor === Number.POSITIVE_INFINITY) floor = sample.lsn
    return sample
  }
  const askStandby = async (): Promise<Place | null> => {
    const place = await standby.ask<Place>(ofStandby)
    if (place?.lsn) replayed = place.lsn
    return place
  }
  const judge = (place: Place | null, sample: Sample | null): Unusable | null => {
    if (!place) return 'unreachable'
    if (place.lsn === null) return 'no-standby'
    if (primaryId !== undefined && place.id !== primaryId) return 'other-database'
    isAlone = alone && !sample && performance.now() - primaryAt > goneMs
    if (isAlone) return null
    if (!sample && performance.now() - primaryAt > maxLagMs) return 'no-primary'
    if (lagMs > maxLagMs || replayed < floor) return 'lagging'
    return null
  }
  const probe = async () => {
    const [place, sample] = await Promise.all([askStandby(), askPrimary()])
    if (closing.signal.aborted) return
    lagMs = place?.lsn ? lagOf(samples, replayed) : Number.NaN
    samples = withoutOld(samples, replayed)
    isAlone = false
    why = judge(place, sample)
    if (why === null && !isAlone) floor = 0
    else if (floor === 0) floor = Number.POSITIVE_INFINITY
    const reason = why ? unusable[why] : isAlone ? aloneReason : null
    onState({ reason, isReachable: why !== 'unreachable' })
  }
  const run = async () => {
    while (!closing.signal.aborted) {
      await probe()
      await sleep(probeEveryMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }

  const nextSample = coalesce<null, Sample | null>(async (asked) => {
    const sample = await askPrimary()
    return asked.map(() => sample)
  })
  const nextReplay = coalesce<null, null>(async (asked) => {
    await askStandby()
    return asked.map(() => null)
  })
  const first = probe()
  const running = first.then(run)
  return {
    ready: first,
    isUsable: () => why === null,
    isAlone: () => why === null && isAlone,
    lagSeconds: () => lagMs / 1_000,
    /** A statement has failed on the standby: it is not used until it answers and has caught up. */
    suspend: () => {
      if (why !== null) return
      why = 'unreachable'
      isAlone = false
      floor = Number.POSITIVE_INFINITY
    },
    /** Waits until the standby has replayed what was committed until this time; false if that takes too long. */
    hasReplayed: async (since: number): Promise<boolean> => {
      const end = performance.now() + replayMs
      // Nobody has written since the primary is gone.
      if (isAlone && since > primaryAt + goneMs) return why === null
      const known = samples.find(({ at }) => at >= since)
      const target = known ?? (isAlone ? null : await nextSample(null))
      if (!target) return false
      while (replayed < target.lsn) {
        if (performance.now() > end || why !== null) return false
        await nextReplay(null)
        if (replayed < target.lsn) await sleep(pollEveryMs)
      }
      return why === null
    },
    close: async () => {
      closing.abort()
      primary.close()
      standby.close()
      await running
      primary.close()
      standby.close()
    },
  }
}
