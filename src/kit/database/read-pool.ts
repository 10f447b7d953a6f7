/** A pool whose statements run on the standby, and on the primary if the standby is not usable or fails. */
import pg from 'pg'
import { codeOf } from './outage.ts'

/** The standby cancelled a statement that took too long. The primary would take as long. */
const tookTooLong = '57014'

type Targets = {
  primary: pg.Pool
  standby: pg.Pool
  isUsable(): boolean
  /** Called when a statement failed on the standby, before it runs on the primary. */
  onFailure(error: Error): void
}

/** It has no connections of its own. Transactions run on the primary. */
export class ReadPool extends pg.Pool {
  readonly #targets: Targets

  constructor(targets: Targets) {
    super({ max: 1 })
    this.#targets = targets
  }

  override connect = ((done?: never) =>
    this.#targets.primary.connect(done as never)) as pg.Pool['connect']

  override query = (async (config: string | pg.QueryConfig, values?: unknown[]) => {
    const { primary, standby, isUsable, onFailure } = this.#targets
    if (!isUsable()) return primary.query(config, values)
    try {
      return await standby.query(config, values)
    } catch (error) {
      if (codeOf(error) === tookTooLong) throw error
      onFailure(error as Error)
      return primary.query(config, values)
    }
  }) as pg.Pool['query']
}
