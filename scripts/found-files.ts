/**
 * Finds the files of GraphQL, of REST and of the games of agents by their names, and writes the modules that import
 * them. Part of `npm run generate`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../src', import.meta.url))
const find = (pattern: string) => globSync(pattern, { cwd }).sort()
const write = (name: string, lines: string[]) =>
  writeFileSync(`${cwd}/generated/${name}`, `${lines.join('\n')}\n`)

write(
  'graphql-files.ts',
  find('*/**/*.graphql.ts').map((file) => `import '../${file}'`),
)

const rest = find('rest/{v1,dashboard,admin}/**/*.ts')
write('rest-files.ts', [
  ...rest.map((file, i) => `import * as file${i} from '../${file}'`),
  `export const restFiles: object[] = [${rest.map((_, i) => `file${i}`).join(', ')}]`,
])

const games = find('arena/agent-games/*.rules.ts').filter((file) =>
  /^export const game\b/m.test(readFileSync(`${cwd}/${file}`, 'utf8')),
)
write('agent-games.ts', [
  "import type { Game } from '../arena/agent-games/agent-game.rules.ts'",
  ...games.map((file, i) => `import { game as game${i} } from '../${file}'`),
  `export const games: readonly Game[] = [${games.map((_, i) => `game${i}`).join(', ')}]`,
])
