/** Statements of queries: sent to the standby, and to the primary if the standby fails or must not be used. */
import pg from 'pg'
import { codeOf } from '../db/outage.ts'

/** The standby cancelled a statement that took too long. The primary would take as long. */
const tookTooLong = '57014'
/** The statement writes. The standby is not at fault. */
const isWrite = '25006'

type Targets = {
  primary: pg.Pool
  standby: pg.Pool
  isUsable(): boolean
  /** Called when a statement failed on the standby, before the primary gets it. */
  onFailure(error: Error): void
}

/** A pool without connections of its own. Transactions go to the primary. */
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
      const code = codeOf(error)
      if (code === tookTooLong) throw error
      if (code !== isWrite) onFailure(error as Error)
      return primary.query(config, values)
    }
  }) as pg.Pool['query']
}
