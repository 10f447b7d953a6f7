/** What a line of the access log costs: `node bench/access-line.ts`. Lines go to /dev/null, one write each as in a server. */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createAccessLog, type LogAccess } from '../src/kit/http/access-log.ts'
import { redacted } from '../src/kit/observability/log.ts'

const { values } = parseArgs({ options: { lines: { type: 'string', default: '200000' } } })
const lines = Number(values.lines)

const log = pino({ redact: redacted }, pino.destination({ dest: '/dev/null', sync: true }))

const access: Parameters<LogAccess>[0] = {
  method: 'POST',
  route: '/graphql',
  status: 200,
  caller: {
    kind: 'secret',
    keyId: '0199b1c2-7a50-7c3e-9d0e-4b5a6c7d8e9f',
    partnerId: '0199b1c2-7a50-7c3e-9d0e-4b5a6c7d8e90',
    environment: 'LIVE',
    applicationId: '0199b1c2-7a50-7c3e-9d0e-4b5a6c7d8e91',
    publicProfiles: 'FULL',
    userTokens: 'OPTIONAL',
    rights: [],
  },
  operations: [{ name: 'UserPage', field: 'user', cost: 104 }],
  error: null,
  ms: 2.75,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  requestId: '1f0d4c1e-6f3a-4b3c-8f4e-1c2d3e4f5a6b',
}

/** The median of nine rounds, in microseconds for each call. */
const measure = (name: string, call: () => void) => {
  const rounds = Array.from({ length: 9 }, () => {
    const startedAt = performance.now()
    for (let i = 0; i < lines; i++) call()
    return ((performance.now() - startedAt) * 1_000) / lines
  }).sort((a, b) => a - b)
  console.log(`${name.padEnd(44)} ${rounds[4]?.toFixed(3).padStart(8)} µs`)
}

const on = createAccessLog({ config: { accessLog: true }, log }) as LogAccess
const off = createAccessLog({ config: { accessLog: false }, log })
const { caller, operations: _, ...rest } = access
measure('off', () => off?.(access))
measure('on', () => on(access))
measure('the same by the log that hides secrets', () => log.info({ ...rest, ...caller }, 'request'))
