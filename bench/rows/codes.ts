/** Row 9: batches of codes, generated, hashed, stored and returned, against one COPY of the same rows. */
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { v7 as uuid } from 'uuid'
import type { Bench } from '../bench.ts'
import { compare, type Result } from '../report.ts'
import { alternate, type Contender } from '../rounds.ts'

const batchSize = 10_000

/** Repeats a batch for `seconds` seconds; returns codes per second of the time that the batches took. */
const measureBatches =
  (prepare: () => Promise<() => Promise<void>>): Contender['measure'] =>
  async (seconds) => {
    let [codes, tookMs] = [0, 0]
    while (tookMs < seconds * 1000) {
      const run = await prepare()
      const start = performance.now()
      await run()
      tookMs += performance.now() - start
      codes += batchSize
    }
    return codes / (tookMs / 1000)
  }

/** COPY … FROM STDIN. The driver has messages for it, but no method. */
const copyIn = (client: pg.Client, sql: string, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined
    client.query({
      submit: (connection: { query(text: string): void }) => connection.query(sql),
      handleCopyInResponse: (connection: {
        sendCopyFromChunk(chunk: Buffer): void
        endCopyFrom(): void
      }) => {
        connection.sendCopyFromChunk(data)
        connection.endCopyFrom()
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error
      },
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    } as never)
  })

/** The rows of a batch as they would be stored, ready to be sent. */
const copyOfBatch = async ({ postgres: { client }, demo }: Bench) => {
  const batchId = randomUUID()
  const tenant = `${demo.partnerId}\tTEST`
  const lines = Array.from(
    { length: batchSize },
    () => `${tenant}\t\\\\x${randomBytes(32).toString('hex')}\t${batchId}\t${uuid()}\tQ7KX\n`,
  )
  const data = Buffer.from(lines.join(''))
  return async () => {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO code_batch (id, partner_id, environment, campaign_id, batch_size, points_value,
         created_at)
       SELECT $1, partner_id, environment, id, $2, 1, now() FROM campaign
       WHERE partner_id = $3 AND environment = 'TEST' AND slug = 'summer-sale'`,
      [batchId, batchSize, demo.partnerId],
    )
    const columns = 'partner_id, environment, hash, batch_id, id, ending'
    await copyIn(client, `COPY campaign_code (${columns}) FROM STDIN`, data)
    await client.query('COMMIT')
  }
}

/** One request, with all codes in its answer. */
const requestBatch = (port: number, key: string) => async () => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/campaigns/codes/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': key },
    body: JSON.stringify({ slug: 'summer-sale', batchSize, pointsValue: 1 }),
  })
  const text = await response.text()
  if (response.status !== 200 || !text.includes(`"count":${batchSize}`)) throw new Error(text)
}

export const codesRow = async (bench: Bench): Promise<Result[]> => {
  const { port, stop } = await bench.startOurs()
  const request = requestBatch(port, bench.demo.keys.secretTest)
  const [ours, rival] = (await alternate(
    [
      { name: 'ours, by request', measure: measureBatches(async () => request) },
      { name: 'COPY', measure: measureBatches(() => copyOfBatch(bench)) },
    ],
    bench.settle,
  )) as [number, number]
  await stop()
  return [
    compare({
      row: '9',
      what: `POST /v1/campaigns/codes/generate, ${batchSize.toLocaleString('en')} codes, codes`,
      against: 'one COPY of the same rows, made before',
      ours,
      rival,
      goal: 0.34,
    }),
  ]
}
