import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const filesUnder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !/^(src|console)\/generated\//.test(name))

/** All but settings of the build, which import scripts. */
const sources = ['src', 'console']
  .flatMap(filesUnder)
  .filter((file) => !file.endsWith('/vite.config.ts'))

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Files of the repository that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, join(root, dirname(file), String(path))),
  )

const graph = new Map(sources.map((file) => [file, importsOf(file)]))
const arrows = [...graph].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))

/** `src/points/points.ts` → `points`; `src/app.ts` → `app.ts`; `console/main.tsx` → `console`. */
const partOf = (file: string) => {
  const [top = '', part = ''] = file.split('/')
  return top === 'src' ? part : top
}

/** The layers of `kit`: each may import those before it. `*` stands for the files of `kit` itself. */
const layers = [
  '*',
  'security',
  'config',
  'observability',
  'embedded',
  'database',
  'group-commit',
  'runtime.ts',
  'streams',
  'jobs',
  'access',
  'http',
  'schema',
]

const domains = [
  'accounts',
  'users',
  'points',
  'programme',
  'games',
  'leaderboard',
  'campaigns',
  'lotteries',
  'journeys',
  'arena',
]
/** Rooms are subfolders of a domain; each may import the domain's own folder and the rooms before it. */
const arenaRooms = ['agent-games', 'agents', 'matches', 'developer-games', 'sessions']
const faces = ['graphql', 'rest', 'webhooks', 'pages', 'demo']
const mayImportFaces = [
  'cli',
  'app.ts',
  'main.js',
  'process.ts',
  'server.ts',
  'startup-server.ts',
  'schema.ts',
  'all-jobs.ts',
  'master-key-rotation.ts',
  'retention-rules.ts',
]

const wrong = (isWrong: (from: string, to: string) => boolean) =>
  arrows.filter(({ from, to }) => isWrong(from, to)).map(({ from, to }) => `${from} → ${to}`)

describe('imports point one way', () => {
  test('the imports of the source tree are found', () => {
    expect(graph.get('src/rest/run.ts')).toContain('src/kit/errors.ts')
    expect(arrows.length).toBeGreaterThan(100)
  })

  test('kit imports only generated code', () => {
    const allowed = ['kit', 'generated']
    expect(wrong((from, to) => partOf(from) === 'kit' && !allowed.includes(partOf(to)))).toEqual([])
  })

  test('a layer of kit imports only the layers before it', () => {
    const isInKit = (file: string) => partOf(file) === 'kit'
    const layerOf = (file: string) => {
      const [, , name = '', inside] = file.split('/')
      return layers.indexOf(inside !== undefined || layers.includes(name) ? name : '*')
    }
    for (const file of sources.filter(isInKit))
      expect(layerOf(file), file).toBeGreaterThanOrEqual(0)
    expect(
      wrong((from, to) => isInKit(from) && isInKit(to) && layerOf(to) > layerOf(from)),
    ).toEqual([])
  })

  test.each(domains.map((domain, i) => [domain, domains.slice(0, i + 1)]))(
    '%s imports kit, generated and the domains up to itself',
    (domain, upToItself) => {
      const allowed = ['kit', 'generated', ...upToItself]
      expect(wrong((from, to) => partOf(from) === domain && !allowed.includes(partOf(to)))).toEqual(
        [],
      )
    },
  )

  test('a folder of the arena imports only the folders before it', () => {
    const roomOf = (file: string) => {
      const [, , room, inside] = file.split('/')
      return inside === undefined ? -1 : arenaRooms.indexOf(String(room))
    }
    const isInArena = (file: string) => partOf(file) === 'arena'
    const rooms = new Set(sources.filter(isInArena).map((file) => file.split('/').slice(2, -1)[0]))
    expect([...rooms].sort()).toEqual([...arenaRooms, undefined].sort())
    expect(
      wrong((from, to) => isInArena(from) && isInArena(to) && roomOf(to) > roomOf(from)),
    ).toEqual([])
  })

  test.each(['rest', 'graphql'])('%s imports kit and itself, and of kit no database', (face) => {
    const allowed = ['kit', face]
    const isDatabase = (to: string) => /^src\/kit\/database\//.test(to)
    expect(
      wrong(
        (from, to) =>
          to !== 'src/generated/rest-files.ts' &&
          partOf(from) === face &&
          (!allowed.includes(partOf(to)) || isDatabase(to)),
      ),
    ).toEqual([])
  })

  test('pages import kit without its database, generated code, packages and no domain: they ask the schema', () => {
    const allowed = ['kit', 'generated', 'pages', 'packages']
    const isDatabase = (to: string) =>
      /^src\/(kit\/(database|embedded)|generated\/prisma\/client)\b/.test(to)
    expect(
      wrong(
        (from, to) => partOf(from) === 'pages' && (!allowed.includes(partOf(to)) || isDatabase(to)),
      ),
    ).toEqual([])
  })

  /** The console shows the page of a campaign as it is edited, made by the same code. */
  const isPreview = (from: string, to: string) =>
    ['console/campaigns/campaign-preview.tsx', 'console/brand/page-preview.tsx'].includes(from) &&
    to === 'src/pages/campaign-view.ts'

  test('the console imports itself, what shows campaigns, goals and rewards, and the client; the server imports nothing of it', () => {
    const shared = [
      'src/pages/campaign-view.ts',
      'src/campaigns/campaign-phase.rules.ts',
      'src/kit/accent.rules.ts',
      'src/generated/console-documents.json',
      'packages/client/src/by-socket.ts',
      'packages/client/src/fault.ts',
      'packages/client/src/resume.ts',
      'packages/widgets/src/goal-picture.ts',
      'packages/widgets/src/shop-picture.ts',
    ]
    const isConsole = (file: string) => file.startsWith('console/')
    expect(
      wrong((from, to) =>
        isConsole(from) ? !isConsole(to) && !shared.includes(to) : isConsole(to),
      ),
    ).toEqual([])
  })

  test('only the files that assemble the server import graphql, rest, webhooks, pages or demo', () => {
    expect(
      wrong(
        (from, to) =>
          faces.includes(partOf(to)) &&
          partOf(from) !== partOf(to) &&
          !mayImportFaces.includes(partOf(from)) &&
          !isPreview(from, to),
      ),
    ).toEqual([])
  })

  test('no part of the server imports the commands', () => {
    expect(wrong((from, to) => partOf(to) === 'cli' && partOf(from) !== 'cli')).toEqual([])
  })

  test('x.graphql.ts imports x.ts, never the reverse', () => {
    expect(
      wrong((from, to) => to.endsWith('.graphql.ts') && !from.endsWith('.graphql.ts')),
    ).toEqual([])
  })

  test('*.rules.ts does no input or output', () => {
    const rules = sources.filter((file) => file.endsWith('.rules.ts'))
    expect(rules.length).toBeGreaterThan(0)
    for (const file of rules)
      expect(textOf(file), file).not.toMatch(/'node:|\/(db|runtime|config|client)\.ts'|\bfetch\(/)
  })

  const cyclesOf = (graph: Map<string, string[]>): string[] => {
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (place: string, path: string[]) => {
      if (path.includes(place)) cycles.push([...path.slice(path.indexOf(place)), place].join(' → '))
      if (path.includes(place) || done.has(place)) return
      for (const next of graph.get(place) ?? []) visit(next, [...path, place])
      done.add(place)
    }
    for (const place of graph.keys()) visit(place, [])
    return cycles
  }

  test('there are no import cycles', () => {
    expect(cyclesOf(graph)).toEqual([])
  })

  const folders = [...new Set(sources.map(dirname))].sort()

  test.each(folders)('folders in %s import each other one way', (parent) => {
    /** The folder in `parent` that a file is in; undefined for a file of `parent` itself or elsewhere. */
    const roomOf = (file: string) => {
      const [room, inside] = relative(parent, file).split('/')
      return room === '..' || inside === undefined ? undefined : room
    }
    const rooms = new Map<string, string[]>()
    for (const { from, to } of arrows) {
      const [a, b] = [roomOf(from), roomOf(to)]
      if (a && b && a !== b) rooms.set(a, [...(rooms.get(a) ?? []), b])
    }
    expect(cyclesOf(rooms)).toEqual([])
  })
})

test('only kit/config/config.ts reads the environment', () => {
  const servers = sources.filter((file) => partOf(file) !== 'cli')
  const readers = servers.filter((file) => /process\s*\.env\b|import\.meta\.env/.test(textOf(file)))
  expect(readers).toEqual(['src/kit/config/config.ts'])
})

test('only kit/observability/open-tracing.ts loads OpenTelemetry, and only on demand', () => {
  const loads = /^(import (?!type )|export ).*from '@opentelemetry|import\('@opentelemetry/m
  const several = /^} from '@opentelemetry/m
  const loaders = sources.filter((file) => loads.test(textOf(file)) || several.test(textOf(file)))
  expect(loaders).toEqual(['src/kit/observability/open-tracing.ts'])
  const users = sources.filter((file) => /open-tracing\.ts'/.test(textOf(file)))
  expect(users).toEqual(['src/server.ts'])
  expect(textOf('src/server.ts')).toMatch(
    /await import\('.\/kit\/observability\/open-tracing\.ts'\)/,
  )
})
