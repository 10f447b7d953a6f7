import { type Logger, pino, stdSerializers } from 'pino'
import type { Config } from './config.ts'

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

/** An error with its code, such as `ECONNREFUSED`, under a name that is not redacted. */
const withCode = (error: Error & { code?: unknown }) => ({
  ...stdSerializers.err(error),
  errorCode: error.code,
})

/** JSON lines in production and in a pipe; readable lines in a terminal. */
export const createLog = (config: Pick<Config, 'production' | 'logLevel'>): Logger =>
  pino({
    level: config.logLevel,
    redact: redacted,
    serializers: { err: withCode },
    ...(!config.production &&
      process.stdout.isTTY && {
        transport: {
          target: 'pino-pretty',
          options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
        },
      }),
  })
