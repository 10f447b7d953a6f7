/** Row 22: users who watch themselves, ten connections each, while points are awarded. */
import { randomUUID } from 'node:crypto'
import { openAudience } from '../audience.ts'
import type { Bench } from '../bench.ts'
import { limit, type Result } from '../report.ts'
import { rounds } from '../rounds.ts'
import { residentMegabytes } from './startup.ts'

const listeners = 2_000
const perUser = 10
/** Awards a second, to one watched user each. */
const perSecond = 50

const query = `subscription ($id: String!) { userChanged(by: { externalId: $id }) { version user { balance
  goals(first: 10) { nodes { goal { name } state tasks { value target } } } streaks(first: 5) { nodes { length state } }
  grants(first: 5) { nodes { status } } } } }`

const post = async (port: number, path: string, secret: string, body: object) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-secret': secret },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: { token: string } }).data
}

export const watchersRow = async (bench: Bench): Promise<Result[]> => {
  const { pid, port, stop } = await bench.startOurs()
  const { secretTest, publicTest } = bench.demo.keys
  const ids = Array.from({ length: listeners / perUser }, (_, n) => `user-${n + 1}`)
  const audiences = []
  for (const id of ids) {
    const { token } = await post(port, `/v1/users/${id}/token`, secretTest, {})
    const payload = { 'X-API-Key': publicTest, 'X-User-Token': token }
    const init = JSON.stringify({ type: 'connection_init', payload })
    const operation = { query, variables: { id } }
    const subscribe = JSON.stringify({ id: 's', type: 'subscribe', payload: operation })
    audiences.push(await openAudience(port, [init, subscribe], perUser))
  }
  // The acknowledgement, the state, and the state once more after a second.
  await Promise.all(audiences.map((audience) => audience.wait(3)))
  const quiet = residentMegabytes(pid)
  const frames = ids.map(() => 3)
  const delays: number[] = []
  const sending: Promise<void>[] = []
  const turns = rounds * 2 * perSecond
  for (let n = 0; n < turns; n++) {
    const at = n % ids.length
    sending.push(
      (async () => {
        const sentAt = performance.now()
        frames[at] = (frames[at] ?? 0) + 1
        const body = { userId: ids[at], eventType: 'purchase', reference: randomUUID() }
        await post(port, '/v1/points/award', secretTest, body)
        await audiences[at]?.wait(frames[at] as number)
        delays.push(performance.now() - sentAt)
      })(),
    )
    await new Promise((resolve) => setTimeout(resolve, 1_000 / perSecond))
  }
  await Promise.all(sending)
  const busy = residentMegabytes(pid)
  const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] as number
  console.log(`  resident: ${quiet.toFixed(0)} MB, after ${turns} changes ${busy.toFixed(0)} MB`)
  for (const audience of audiences) audience.end()
  await stop()
  const what = `${listeners.toLocaleString('en')} listeners of ${ids.length} users, with tokens`
  return [
    limit({
      row: '22',
      what: `${what}: resident memory`,
      ours: Math.max(quiet, busy),
      unit: 'MB',
      goal: 1_000,
    }),
    limit({
      row: '22',
      what: `${what}: from an award until the last of a user's ten has it, p99`,
      ours: p99,
      unit: 'ms',
      goal: 250,
    }),
  ]
}
