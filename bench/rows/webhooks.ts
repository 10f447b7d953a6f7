/** Row 14: what a subscribed webhook endpoint costs awards. */
import type { Bench } from '../bench.ts'
import { award } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, type Contender, httpContender } from '../rounds.ts'

/** A server with an endpoint that gets deliveries during the turn of a contender that needs it. */
const openEndpoint = async (bench: Bench) => {
  const ours = await bench.startOurs()
  const receiver = await bench.startRival('receiver.ts')
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-api-secret': bench.demo.keys.secretTest,
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return ((await answer.json()) as { data: { id: string } }).data
  }
  const { id } = await call('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${receiver.port}/`,
    events: ['*'],
  })
  const load = { port: ours.port, connections: 64, request: award(bench.demo) }
  /** While the endpoint is disabled, no delivery is created and no waiting one is sent. */
  const contender = (name: string, isDelivered: boolean): Contender => {
    const measured = httpContender(name, load)
    const set = (status: string) => call('PATCH', `/v1/webhooks/${id}`, { status })
    return {
      name: measured.name,
      measure: async (seconds) => {
        await set(isDelivered ? 'ACTIVE' : 'DISABLED')
        const perSecond = await measured.measure(seconds)
        await set('DISABLED')
        return perSecond
      },
    }
  }
  const end = async () => {
    await ours.stop()
    await receiver.stop()
  }
  return { contender, end }
}

/** Awards with a subscribed endpoint, for the comparison of two commits. */
export const awardDelivered = async (name: string, bench: Bench) => {
  const { contender, end } = await openEndpoint(bench)
  return { contender: contender(name, true), end }
}

export const webhookRow = async (bench: Bench): Promise<Result[]> => {
  const { contender, end } = await openEndpoint(bench)
  const [subscribed, alone] = (await alternate(
    [contender('with an endpoint', true), contender('without', false)],
    bench.settle,
  )) as [number, number]
  await end()
  return [
    compare({
      row: '14',
      what: 'POST /v1/points/award, 64 connections, one subscribed endpoint that is delivered to',
      against: 'the same without an endpoint',
      ours: subscribed,
      rival: alone,
      goal: 0.8,
    }),
  ]
}
