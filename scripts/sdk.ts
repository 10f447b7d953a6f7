/**
 * `npm run sdk`: builds the packages of `packages/` and packs each into `packages/dist`, with the version of the API.
 * `-- --out FOLDER` packs elsewhere.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { introspection, operations } from './sdk-operations.ts'
import { eventTypes, pathTypes } from './sdk-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = (name: string) => join(root, 'packages', name)
const bin = (path: string) => join(root, 'node_modules', path)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Files that follow from the API, by their paths in `packages/`. */
const generated: Record<string, () => string | Promise<string>> = {
  'webhooks/src/generated/events.ts': eventTypes,
  'client/src/generated/events.ts': eventTypes,
  'client/src/generated/paths.ts': pathTypes,
  'client/src/generated/operations.ts': operations,
  'client/src/generated/introspection.ts': introspection,
}

/** In the order of their dependencies. */
const packages = ['webhooks', 'client', 'widgets', 'react']

const generate = async () => {
  for (const [name, make] of Object.entries(generated)) {
    const file = source(name)
    const text = await make()
    // Unchanged files are not rewritten, so that file watchers are not triggered.
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
}

const run = (program: string, args: string[], cwd: string) => {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Runs a compiler with options on top of those of a project. */
const compile = (
  file: string,
  base: string,
  config: { compilerOptions: object; include: string[] },
) => {
  writeFileSync(file, JSON.stringify({ extends: source(base), ...config }))
  run(process.execPath, [bin('typescript/bin/tsc'), '-p', file], root)
}

/** One module for each source file. */
const buildModules = (name: string, stage: string) => {
  const types = (other: string) =>
    join(stage, other, other === 'widgets' ? 'dist/types' : 'dist', `${other}.d.ts`)
  const built = (other: string) => [`@tessera/${other}`, [types(other)]]
  compile(join(stage, `${name}.json`), 'tsconfig.json', {
    compilerOptions: {
      noEmit: false,
      declaration: true,
      outDir: join(stage, name, 'dist'),
      rootDir: join(source(name), 'src'),
      paths: Object.fromEntries(packages.slice(0, packages.indexOf(name)).map(built)),
    },
    include: [join(source(name), 'src')],
  })
}

/** The script that servers serve, with its chunks, and types. */
const buildWidgets = (name: string, stage: string) => {
  const folder = join(stage, name)
  const dist = join(folder, 'dist')
  const vite = ['build', '--config', 'packages/widgets/vite.config.ts', '--outDir', dist]
  run(process.execPath, [bin('vite/bin/vite.js'), ...vite], root)
  for (const file of globSync('**/*.{br,gz}', { cwd: dist })) rmSync(join(dist, file))
  cpSync(join(source(name), 'react.d.ts'), join(folder, 'react.d.ts'))
  const src = join(source(name), 'src')
  compile(join(stage, `${name}.json`), `${name}/tsconfig.json`, {
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: join(dist, 'types'),
      rootDir: src,
    },
    include: [src],
  })
}

/** Builds a package into a folder that contains only what is published. */
const build = (name: string, stage: string) => {
  const folder = join(stage, name)
  mkdirSync(folder, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(source(name), 'package.json'), 'utf8'))
  if (manifest.version !== version)
    throw new Error(`packages/${name}/package.json must have the version of the API, ${version}`)
  for (const file of ['package.json', 'README.md'])
    cpSync(join(source(name), file), join(folder, file))
  if (manifest.exports['./schema.graphql'])
    cpSync(join(root, 'schema.graphql'), join(folder, 'schema.graphql'))
  if (name === 'widgets') buildWidgets(name, stage)
  else buildModules(name, stage)
  return folder
}

const { values } = parseArgs({ options: { out: { type: 'string', default: source('dist') } } })
const out = resolve(values.out)

await generate()
mkdirSync(out, { recursive: true })
for (const name of readdirSync(out)) if (/^tessera-.+\.tgz$/.test(name)) rmSync(join(out, name))
const cache = join(root, 'node_modules/.cache/tessera')
mkdirSync(cache, { recursive: true })
// Inside the repository, so that packages resolve.
const stage = mkdtempSync(join(cache, 'sdk-'))
try {
  for (const name of packages) {
    const folder = build(name, stage)
    run('npm', ['pack', '--silent', '--pack-destination', out], folder)
    console.log(`Packed @tessera/${name} ${version}`)
  }
} finally {
  rmSync(stage, { recursive: true })
}
