/**
 * Writes the script of the REST reference, with its compressed forms. The package of Scalar contains it as a text that
 * takes memory, so the server reads the file instead. Part of `npm run pages`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const folder = fileURLToPath(new URL('../src/generated/reference/', import.meta.url))

const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, payload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200)
  throw new Error(`The script of the REST reference is not served: ${statusCode}`)

// Its source map is not served.
const script = Buffer.from(payload.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}scalar.js`, script)
writeFileSync(`${folder}scalar.js.gz`, gzipSync(script, { level: 9 }))
// The best quality would take nine seconds to save a tenth.
const params = {
  [constants.BROTLI_PARAM_QUALITY]: 9,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: script.length,
}
writeFileSync(`${folder}scalar.js.br`, brotliCompressSync(script, { params }))
