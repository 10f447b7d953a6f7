/** Who watches what on all nodes. Each node writes its own counts, which expire unless it renews them. */
import { randomUUID } from 'node:crypto'
import type { Runtime } from '../runtime.ts'

/** Counts are refreshed at the shorter interval and expire after the longer one. */
const renewMs = 10_000
const expireMs = 30_000

/** How many watch something on a node. */
type Count = { id: string; watching: number }

type Options = {
  /** Writes counts of this node; those of 0 are deleted. */
  save(nodeId: string, counts: Count[], expiresAt: Date): Promise<unknown>
  /** The delay after which changes are written in one batch. */
  gatherMs: number
}

/** Keeps the counts of this node in the database. */
export class Audience {
  readonly #parts: Pick<Runtime, 'clock' | 'log'>
  readonly #options: Options
  readonly #nodeId = randomUUID()
  readonly #watching = new Map<string, number>()
  readonly #changed = new Set<string>()
  #writing: Promise<void> = Promise.resolve()
  #next: PromiseWithResolvers<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #renewAt = Date.now() + renewMs

  constructor(parts: Pick<Runtime, 'clock' | 'log'>, options: Options) {
    this.#parts = parts
    this.#options = options
  }

  /** Counts one more who watches something until the returned function is called. */
  enter(id: string): () => void {
    this.#change(id, 1)
    return () => this.#change(id, -1)
  }

  /** Resolves when the counts so far are written, or could not be. */
  written(): Promise<void> {
    if (this.#changed.size === 0) return this.#writing
    this.#next ??= Promise.withResolvers()
    return this.#next.promise
  }

  #change(id: string, by: number): void {
    const count = (this.#watching.get(id) ?? 0) + by
    if (count > 0) this.#watching.set(id, count)
    else this.#watching.delete(id)
    // The timer waits for the next renewal.
    if (this.#changed.size === 0) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
    this.#changed.add(id)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#timer || (this.#watching.size === 0 && this.#changed.size === 0)) return
    const { gatherMs } = this.#options
    const wait = this.#changed.size > 0 ? gatherMs : Math.max(gatherMs, this.#renewAt - Date.now())
    this.#timer = setTimeout(() => this.#flush(), wait).unref()
  }

  #flush(): void {
    this.#timer = undefined
    if (Date.now() >= this.#renewAt) {
      this.#renewAt = Date.now() + renewMs
      for (const id of this.#watching.keys()) this.#changed.add(id)
    }
    const ids = [...this.#changed]
    this.#changed.clear()
    const written = this.#next
    this.#next = undefined
    this.#writing = this.#writing
      .then(() => this.#write(ids))
      .catch((err) => this.#parts.log.warn({ err }, 'the audience could not be written'))
      .finally(() => {
        written?.resolve()
        this.#schedule()
      })
  }

  async #write(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const counts = ids.map((id) => ({ id, watching: this.#watching.get(id) ?? 0 }))
    const expiresAt = new Date(this.#parts.clock().getTime() + expireMs)
    await this.#options.save(this.#nodeId, counts, expiresAt)
  }
}
