/** Queries a server on a separate connection with a timeout, so neither a full pool nor a hung server blocks it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const timeoutMs = 800
/** Answers are read between ticks, so a busy process does not take its own delay for silence. */
const tickMs = 50
const fewestTicks = 5

export type Asker = {
  /** The first row; null if the server cannot be reached, refuses, or does not answer in time. */
  ask<Row>(text: string): Promise<Row | null>
  close(): void
}

/** @param optionsNow the options of a connection, which may name another host after a failover */
export const createAsker = (optionsNow: () => pg.ClientConfig): Asker => {
  let kept: Promise<pg.Client> | undefined
  let current: pg.Client | undefined
  const drop = () => {
    current?.connection.stream.destroy()
    kept = undefined
    current = undefined
  }
  const connect = async () => {
    const client = new pg.Client(optionsNow())
    current = client
    await client.on('error', () => {}).connect()
    return client
  }
  const waitFor = async (answer: Promise<unknown>): Promise<null> => {
    let isOver = false
    const end = performance.now() + timeoutMs
    const over = answer.then(() => {
      isOver = true
    })
    for (let ticks = 0; !isOver && (ticks < fewestTicks || performance.now() < end); ticks++)
      await Promise.race([over, sleep(tickMs, undefined, { ref: false })])
    return null
  }
  return {
    ask: async <Row>(text: string) => {
      kept ??= connect()
      const used = kept
      const answer = used
        .then((client) => client.query<pg.QueryResultRow>(text))
        .then(({ rows }) => rows[0] as Row)
        .catch(() => null)
      const row = await Promise.race([answer, waitFor(answer)])
      if (!row && kept === used) drop()
      return row
    },
    close: drop,
  }
}
