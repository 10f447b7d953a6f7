import { type Logger, pino } from 'pino'
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

/** The places of secrets in what is logged. */
export const redacted = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** JSON lines in production and in a pipe; readable lines in a terminal. */
export const createLog = (config: Pick<Config, 'production' | 'logLevel'>): Logger =>
  pino({
    level: config.logLevel,
    redact: redacted,
    ...(!config.production &&
      process.stdout.isTTY && {
        transport: {
          target: 'pino-pretty',
          options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
        },
      }),
  })
