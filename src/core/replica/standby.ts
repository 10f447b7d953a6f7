/** Watches how far the standby has replayed what the primary has committed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../coalesce.ts'
import type { Asker } from './asker.ts'

/** Why the standby is not used. */
type Unusable = 'unreachable' | 'no-standby' | 'other-database' | 'lagging' | 'no-primary'

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
  // Far behind, the lag is measured from the oldest sample, so those in the middle are dropped.
  return kept.length > 1_000 ? [...kept.slice(0, 500), ...kept.slice(-500)] : kept
}

export class Standby {
  readonly #primary: Asker
  readonly #standby: Asker
  readonly #options: Options
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #samples: Sample[] = []
  #primaryId: string | undefined
  #primaryAt = performance.now()
  #replayed = -1
  #lagMs = Number.NaN
  #why: Unusable | null = 'unreachable'
  #isAlone = false
  /** The LSN to replay before the standby is used again, so that no caller goes back in time. */
  #floor = Number.POSITIVE_INFINITY
  /** Resolves after the first probe. */
  readonly ready: Promise<void>

  constructor(primary: Asker, standby: Asker, options: Options) {
    this.#primary = primary
    this.#standby = standby
    this.#options = options
    this.ready = this.#probe()
    this.#running = this.ready.then(() => this.#run())
  }

  readonly #nextSample = coalesce<null, Sample | null>(async (asked) => {
    const sample = await this.#askPrimary()
    return asked.map(() => sample)
  })

  readonly #nextReplay = coalesce<null, null>(async (asked) => {
    await this.#askStandby()
    return asked.map(() => null)
  })

  async #askPrimary(): Promise<Sample | null> {
    const at = performance.now()
    const place = await this.#primary.ask<Place>(ofPrimary)
    if (!place?.lsn) return null
    this.#primaryId = place.id
    this.#primaryAt = performance.now()
    const sample = { at, lsn: place.lsn }
    this.#samples.push(sample)
    if (this.#floor === Number.POSITIVE_INFINITY) this.#floor = sample.lsn
    return sample
  }

  async #askStandby(): Promise<Place | null> {
    const place = await this.#standby.ask<Place>(ofStandby)
    if (place?.lsn) this.#replayed = place.lsn
    return place
  }

  #judge(place: Place | null, sample: Sample | null): Unusable | null {
    const { alone, maxLagMs } = this.#options
    if (!place) return 'unreachable'
    if (place.lsn === null) return 'no-standby'
    if (this.#primaryId !== undefined && place.id !== this.#primaryId) return 'other-database'
    const silentMs = sample ? 0 : performance.now() - this.#primaryAt
    this.#isAlone = alone && silentMs > goneMs
    if (this.#isAlone) return null
    // Until it is clear whether the primary is gone, the last lag counts.
    if (silentMs > Math.max(maxLagMs, alone ? goneMs : 0)) return 'no-primary'
    return this.#lagMs > maxLagMs || this.#replayed < this.#floor ? 'lagging' : null
  }

  async #probe(): Promise<void> {
    const [place, sample] = await Promise.all([this.#askStandby(), this.#askPrimary()])
    if (this.#closing.signal.aborted) return
    this.#lagMs = place?.lsn ? lagOf(this.#samples, this.#replayed) : Number.NaN
    this.#samples = withoutOld(this.#samples, this.#replayed)
    this.#isAlone = false
    const why = this.#judge(place, sample)
    this.#why = why
    if (why === null && !this.#isAlone) this.#floor = 0
    else if (this.#floor === 0) this.#floor = Number.POSITIVE_INFINITY
    const reason = why ? unusable[why] : this.#isAlone ? aloneReason : null
    this.#options.onState({ reason, isReachable: why !== 'unreachable' })
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#probe()
      await sleep(probeEveryMs, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  isUsable(): boolean {
    return this.#why === null
  }

  /** Whether it serves without the primary. */
  isAlone(): boolean {
    return this.#why === null && this.#isAlone
  }

  lagSeconds(): number {
    return this.#lagMs / 1_000
  }

  /** A statement has failed on the standby: it is not used until it answers and has caught up. */
  suspend(): void {
    if (this.#why !== null) return
    this.#why = 'unreachable'
    this.#isAlone = false
    this.#floor = Number.POSITIVE_INFINITY
  }

  /** Waits until the standby has replayed what was committed until this time; false if that takes too long. */
  async hasReplayed(since: number): Promise<boolean> {
    const end = performance.now() + replayMs
    const target =
      this.#samples.find(({ at }) => at >= since) ??
      (await Promise.race([this.#nextSample(null), sleep(replayMs, null, { ref: false })]))
    // While the primary is gone, nothing can have been written. Only its silence now proves that it is not back.
    if (!target) return this.isAlone() && since > this.#primaryAt + goneMs
    while (this.#replayed < target.lsn) {
      if (performance.now() > end || !this.isUsable()) return false
      await this.#nextReplay(null)
      if (this.#replayed < target.lsn) await sleep(pollEveryMs)
    }
    return this.isUsable()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const one of [this.#primary, this.#standby]) one.close()
    await this.#running
    // A probe that was under way may have connected again.
    for (const one of [this.#primary, this.#standby]) one.close()
  }
}
