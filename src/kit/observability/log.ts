import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

export type { Logger }

/** Keys, tokens, codes and e-mail addresses never reach the log. */
const secrets = [
  'authorization',
  'x-api-key',
  'x-api-secret',
  'cookie',
  'key',
  'token',
  'secret',
  'password',
  'code',
  'email',
]

/** The paths of secrets in logged objects. */
export const redacted = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** What an error of the database or the network names. Other properties, such as `detail` and `where`, have whole rows. */
const safe = ['severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const

type Failure = Error & { code?: unknown; errors?: unknown } & Partial<Record<string, unknown>>

const isOfDatabase = ({ name, severity }: Failure): boolean =>
  severity !== undefined || /^(PrismaClient|DriverAdapter)/.test(name)

/** A text without what is between the first `from` and the last `to`. */
const without = (text: string, from: string, to: string): string => {
  const start = text.indexOf(from)
  const end = text.lastIndexOf(to)
  if (start === -1 || end < start + from.length) return text
  return `${text.slice(0, start + from.length)}…${text.slice(end)}`
}

/** Where messages of the database have values: of a key, a row, or a text that could not be read. */
const values = [
  [')=(', ')'],
  ['row contains (', ')'],
  [': "', '"'],
  ['value "', '" is out of range'],
] as const

const withoutValues = (message: string): string =>
  values.reduce((text, [from, to]) => without(text, from, to), message)

/** The message without the arguments of the call, which the client prints between its first and its last line. */
const messageOf = (error: Failure): string => {
  if (!isOfDatabase(error)) return error.message
  const lines = withoutValues(error.message)
    .split('\n')
    .filter((line) => line.trim())
  return [...new Set([lines[0], lines.at(-1)])].join(' ')
}

/**
 * An error with its code, such as `ECONNREFUSED`, under a name that is not redacted, and with its causes. Nothing of the rows
 * that an error of the database is about.
 */
const serialize = (given: unknown, depth = 0): unknown => {
  if (!(given instanceof Error) || depth > 4) return given instanceof Error ? given.name : given
  const error = given as Failure
  const type = error.constructor.name
  const message = messageOf(error)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type,
    message,
    stack: [`${error.name}: ${message}`, ...frames].join('\n'),
    errorCode: error.code,
    ...Object.fromEntries(safe.flatMap((name) => (error[name] ? [[name, error[name]]] : []))),
    ...(error.cause instanceof Error && { cause: serialize(error.cause, depth + 1) }),
    ...(Array.isArray(error.errors) && {
      aggregateErrors: error.errors.map((error) => serialize(error, depth + 1)),
    }),
  }
}

/**
 * JSON lines in production and in a pipe; readable lines in a terminal.
 * @param destination standard output by default
 */
export const createLog = (
  config: Pick<Config, 'production' | 'logLevel'>,
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level: config.logLevel,
      redact: redacted,
      serializers: { err: (error: unknown) => serialize(error) },
      ...(!config.production &&
        process.stdout.isTTY && {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
          },
        }),
    },
    destination as DestinationStream,
  )

/** A continuing failure is logged again after this long. */
const logEveryMs = 60_000

/** Returns the function that logs a failure, unless one was logged less than a minute ago. */
export const createFailureLog = (log: Pick<Logger, 'warn'>, text: string) => {
  let loggedAt = Number.NEGATIVE_INFINITY
  let omitted = 0
  return (err: unknown): void => {
    if (performance.now() - loggedAt < logEveryMs) {
      omitted++
      return
    }
    log.warn({ err, ...(omitted > 0 && { omitted }) }, text)
    loggedAt = performance.now()
    omitted = 0
  }
}
