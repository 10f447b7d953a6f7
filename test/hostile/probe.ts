/**
 * Polls `/livez` in a separate process and reports the longest wait to its parent. Arguments:
 * the URL of the server and its process id.
 */
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [base = '', pid = ''] = process.argv.slice(2)
const pauseMs = 20
/** The unit in which the system counts CPU time. */
const tickMs = 10
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** How long a process was ready to run without getting a CPU, in milliseconds; 0 where there is no /proc. */
const delayMs = (pid: string | number) => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** The CPU time of the server's threads, in milliseconds; unlimited where there is no /proc. */
const cpuMs = () => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
    return (Number(fields?.[11]) + Number(fields?.[12])) * tickMs
  } catch {
    return Number.NaN
  }
}

/** Resolves once answered; false when there was no answer of 200. */
const ask = () =>
  new Promise<boolean>((resolve) => {
    const requested = get(`${base}/livez`, { agent, timeout: 10_000 }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200))
    })
    requested.on('timeout', () => requested.destroy())
    requested.on('error', () => resolve(false))
  })

/**
 * Only time in which the server was at work counts: the time in which other programs had the processors says nothing
 * about the server.
 */
const waitMs = async () => {
  const delaysMs = () => delayMs(pid) + delayMs(process.pid)
  const [startedAt, delayed, computed] = [performance.now(), delaysMs(), cpuMs()]
  if (!(await ask())) return Number.POSITIVE_INFINITY
  const waited = performance.now() - startedAt - (delaysMs() - delayed)
  const atWork = cpuMs() - computed + tickMs
  return Number.isNaN(atWork) ? waited : Math.min(waited, atWork)
}

let stopping = false
process.on('message', () => {
  stopping = true
})
// A server that has just started still has work to do.
for (let calm = 0, i = 0; calm < 10 && i < 300; i++) {
  calm = (await waitMs()) < 30 ? calm + 1 : 0
  await sleep(pauseMs)
}
process.send?.('ready')
let slowest = 0
// What the attack leaves behind counts, too.
for (let left = 2; left > 0; ) {
  if (stopping) left--
  slowest = Math.max(slowest, await waitMs())
  await sleep(pauseMs)
}
process.send?.(Number.isFinite(slowest) ? slowest : 'no answer', () => process.exit())
