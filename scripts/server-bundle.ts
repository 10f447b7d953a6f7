/**
 * Bundles the server into a few files, `src/generated/server`, which load sooner than a thousand modules and take less
 * memory. Part of `npm run build`. `src/main.js` uses the bundle as long as no source has changed.
 */
import { hash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'src/generated/server')

/** Packages that find files by their own path, and packages that few servers load. They are not bundled. */
const outside =
  /^(@electric-sql\/pglite|pino|pino-pretty|thread-stream|pg-native|ioredis|nodemailer|highlight\.js|marked|@opentelemetry\/(?!api).+|@graphql-yoga\/render-graphiql)(\/|$)/

/** One copy of the library for both `import` and `require`. Each use of a required one would be a property lookup. */
const oneGraphql: Plugin = {
  name: 'one-graphql',
  resolveId: {
    filter: { id: /^graphql(\/|$)/ },
    handler: (id) => {
      const path = id.replace(/^graphql(\/index)?$/, 'graphql/index').replace(/(\.m?js)?$/, '.mjs')
      return join(root, 'node_modules', path)
    },
  },
}

/**
 * Importing `node:http` reads all of its properties. Three of them load the WebSocket client, which is not used
 * here.
 */
const httpParts: Plugin = {
  name: 'http-parts',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => {
      const names = Object.keys(http).filter((name) => !/^(WebSocket|\w+Event)$/.test(name))
      return `const http = process.getBuiltinModule('node:http')
        export default http
        export const { ${names.join(', ')} } = http`
    },
  },
}

const compilerFile = 'query-compiler.wasm'

/** Prisma's query compiler as a file. As a module of text it takes four times the memory, and as long to load again. */
const compilerAsFile: Plugin = {
  name: 'compiler-as-file',
  load: {
    filter: { id: /query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ },
    async handler(id) {
      const { wasm } = await import(id)
      const source = Buffer.from(wasm, 'base64')
      this.emitFile({ type: 'asset', fileName: compilerFile, source })
      return `import { readFileSync } from 'node:fs'
        export const wasm = readFileSync(new URL('./${compilerFile}', import.meta.url))`
    },
  },
}

/** Sources find files relative to their own path. */
const inPlace: Plugin = {
  name: 'in-place',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta\.(url|dirname)/ },
    handler: (code, id) => {
      const url = (path: string) => `new URL(${JSON.stringify(path)}, import.meta.url)`
      return code
        .replaceAll('import.meta.url', `${url(relative(folder, id))}.href`)
        .replaceAll(
          'import.meta.dirname',
          `decodeURIComponent(${url(relative(folder, dirname(id)))}.pathname)`,
        )
    },
  },
}

/** One character outside of ASCII doubles the memory of a whole file. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle: (_, files) => {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replace(/(\\*)([^\0-\x7f])/g, (_, before: string, unit: string) => {
          // An even number of backslashes, so that none of them escapes the new one.
          const even = before.slice(before.length % 2)
          return `${even}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
        })
  },
}

/** The sources of the bundle. A start compares them to see whether the bundle is current. */
const sourcesOf = (chunks: OutputChunk[]) => {
  const paths = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root) && !id.includes('node_modules'))
    .sort()
  return Object.fromEntries(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(path)
      const seconds = Math.floor(mtimeMs / 1000)
      return [relative(root, path), { size, seconds, sha1: hash('sha1', readFileSync(path)) }]
    }),
  )
}

const bundle = await rolldown({
  cwd: root,
  input: { process: 'src/process.ts', graphql: 'graphql' },
  platform: 'node',
  external: outside,
  plugins: [oneGraphql, httpParts, compilerAsFile, inPlace, inAscii],
})
rmSync(folder, { recursive: true, force: true })
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  // Errors and metrics show names of classes and functions.
  keepNames: true,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
})
await bundle.close()
const chunks = output.filter((file) => file.type === 'chunk')
writeFileSync(join(folder, 'sources.json'), JSON.stringify(sourcesOf(chunks)))
