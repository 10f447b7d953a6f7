/** Empty projects with the packed SDKs in them, as partners have them. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { marked, type Tokens } from 'marked'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const clients = join(root, 'test/clients/node_modules')
const execute = promisify(execFile)

/** The folder of an installed package. */
const folderOf = (name: string) =>
  [clients, join(root, 'node_modules')].map((folder) => join(folder, name)).find(existsSync)

/** The Node.js that runs npm on this machine: Node.js 20 or later, as the SDKs require. */
export const nodeOutside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file)) as string

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()

/** The Node.js of this repository, and that of the machine, by their versions. */
export const nodes = [process.execPath, nodeOutside].map((node) => [versionOf(node), node] as const)

/** The dependencies of `@tessera/client`. */
export const needed = ['openapi-fetch', '@0no-co/graphql.web']

const pack = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-sdk-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await execute(process.execPath, ['scripts/sdk.ts', '--out', folder], { cwd: root })
  return folder
}

let packed: Promise<string> | undefined

/** A folder with the tarballs, packed once for the files of a worker. */
const packedSdks = (): Promise<string> => {
  packed ??= pack()
  return packed
}

/** The path of the tarball of a package. */
const tarballOf = async (name: string): Promise<string> => {
  const folder = await packedSdks()
  const file = readdirSync(folder).find((one) => one.startsWith(`tessera-${name}-`))
  return join(folder, String(file))
}

/** The examples of a README that have a file name, by it. */
export const examplesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    marked
      .lexer(readFileSync(join(root, 'packages', name, 'README.md'), 'utf8'))
      .filter((token): token is Tokens.Code => token.type === 'code')
      .flatMap(({ lang = '', text }) => {
        const [, file] = lang.split(' ')
        return file ? [[file, text] as const] : []
      }),
  )

export type Project = Awaited<ReturnType<typeof createProject>>

/**
 * A project in a new folder.
 * @param sdks the SDKs to install from their tarballs
 * @param others packages that it takes from the folder of this repository, as there may be no network
 */
export const createProject = async (
  sdks: string[],
  others: string[],
  files: Record<string, string>,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-project-'))
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const dependencies = Object.fromEntries([
    ...(await Promise.all(
      sdks.map(async (name) => [`@tessera/${name}`, `file:${await tarballOf(name)}`]),
    )),
    ...['@types/node', ...others].map((name) => [name, `file:${folderOf(name)}`]),
  ])
  put('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  for (const [name, text] of Object.entries(files)) put(name, text)
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await execute('npm', install, { cwd: folder })

  return {
    folder,
    /** Runs a file to its end; returns its output. Rejects if it fails. */
    run: async (node: string, args: string[], env: Record<string, string> = {}) => {
      const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } }
      const { stdout, stderr } = await execute(node, args, options)
      return `${stdout}${stderr}`
    },
    /** Starts a file that keeps running. */
    start: (node: string, args: string[], env: Record<string, string> = {}) => {
      const child = spawn(node, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      let isClosed = false
      child.once('close', () => {
        isClosed = true
      })
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk
        })
      return {
        said: () => said,
        /** Waits until the output matches; fails with the output if the process ends before. */
        until: async (pattern: RegExp, timeoutMs = 15_000) => {
          const end = Date.now() + timeoutMs
          while (!pattern.test(said)) {
            if (isClosed || Date.now() > end)
              throw new Error(`${pattern} was not said, but: ${said}`)
            await new Promise((resolve) => setTimeout(resolve, 25))
          }
        },
        end: async () => {
          if (isClosed) return
          const closed = new Promise((resolve) => child.once('close', resolve))
          child.kill()
          await closed
        },
      }
    },
    put,
    /**
     * The errors of the compiler in the files of the project, JavaScript included; nothing if they fit the types.
     * @param more files beside them
     */
    check: async (more: Record<string, string> = {}, compilerOptions: object = {}) => {
      for (const [name, text] of Object.entries(more)) put(name, text)
      const config = {
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          lib: ['es2023', 'dom', 'dom.iterable'],
          strict: true,
          noEmit: true,
          allowJs: true,
          checkJs: true,
          skipLibCheck: true,
          types: ['node'],
          ...compilerOptions,
        },
        files: [...Object.keys(files), ...Object.keys(more)],
      }
      put('tsconfig.json', JSON.stringify(config))
      const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]
      return execute(process.execPath, tsc, { cwd: folder }).then(
        () => '',
        ({ stdout, stderr }) => `${stdout}${stderr}`,
      )
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * The complaints of `publint` and `attw` about a tarball; nothing if there are none.
 * @param ignored rules of `attw`
 */
export const faultsOf = async (name: string, ignored: string[] = []): Promise<string> => {
  const file = await tarballOf(name)
  const bin = (program: string) => join(clients, '.bin', program)
  const [lint, types] = await Promise.allSettled([
    execute(bin('publint'), ['run', file, '--strict', '--level', 'suggestion']),
    execute(bin('attw'), [
      file,
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'schema.graphql',
      ...(ignored.length > 0 ? ['--ignore-rules', ...ignored] : []),
    ]),
  ])
  return [lint, types]
    .flatMap((one) =>
      one.status === 'rejected' ? [`${one.reason.stdout}${one.reason.stderr}`] : [],
    )
    .join('\n')
}

/**
 * The compressed size in bytes of a module in a bundle for browsers, without what is loaded lazily.
 * @param external packages that are not counted
 */
export const bundledBytes = async (
  { folder, put }: Project,
  entry: string,
  external: string[] = [],
): Promise<number> => {
  put('entry.js', entry)
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: 'entry.js', formats: ['es'] },
      minify: true,
      rolldownOptions: { external },
    },
  })
  type Chunk = { fileName: string; code?: string; isEntry?: boolean; imports?: string[] }
  const [{ output } = { output: [] }] = [built].flat() as { output: Chunk[] }[]
  const loaded = new Set(output.filter(({ isEntry }) => isEntry))
  for (const { imports = [] } of loaded)
    for (const one of output) if (imports.includes(one.fileName)) loaded.add(one)
  return [...loaded].reduce((size, { code = '' }) => size + gzipSync(code).length, 0)
}
