import type { Config } from '../kit/config/config.ts'
import type { Demo } from './demo.ts'

/** The message in the terminal when the server has started. */
export const welcome = ({
  config,
  port,
  embedded,
  demo,
}: {
  config: Config
  port: number
  embedded: boolean
  demo: Demo | null
}): string => {
  const base = `http://localhost:${port}`
  const bold = (text: string) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text)
  const line = (label: string, value: string) => `  ${label.padEnd(12)} ${value}`
  const lines = [
    '',
    `${bold('Tessera')} is ready, on ${embedded ? `the embedded database in ${config.dataDir}` : 'PostgreSQL'}.`,
    '',
    line('Start here', base),
    line('Console', `${base}/console`),
    line('GraphQL', `${base}/docs/graphql`),
    line('REST', `${base}/docs`),
    line('GraphiQL', `${base}/graphql`),
    line('Live matches', `${base}/arena`),
  ]
  if (demo) {
    const { admin, keys } = demo
    const { publicTest, secretTest } = keys
    lines.push(
      line('A game', `${base}/arena/games/four-in-a-row`),
      line('A campaign', `${base}/campaign/demo/summer-sale?env=test`),
      '',
      bold('Sign in to the console'),
      line('E-mail', admin.email),
      line('Password', admin.password),
      '',
      bold(`Demo keys of the TEST environment (all keys: ${config.dataDir}/demo.json)`),
      line('X-API-Key', publicTest),
      line('X-API-Secret', secretTest),
      '',
      bold('Award points, play, look at the leaderboard'),
      `  curl -X POST ${base}/v1/points/award -H 'X-API-Secret: ${secretTest}' -H 'Content-Type: application/json' -d '{"userId":"alice","eventType":"signup","displayName":"Alice"}'`,
      '',
      `  curl -X POST ${base}/v1/games/play -H 'X-API-Key: ${publicTest}' -H 'Content-Type: application/json' -d '{"userId":"alice","gameType":"NEON_WHEEL"}'`,
      '',
      `  curl ${base}/v1/leaderboard -H 'X-API-Key: ${publicTest}'`,
    )
  }
  return [...lines, '', 'Ctrl-C stops it.', ''].join('\n')
}
