/** A Vite plugin that also writes the files of a build compressed with Brotli and gzip, as the server sends them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const isCompressible = (name: string) => /\.(css|ico|js|json|svg|webmanifest)$/.test(name)

const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
}

export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    const compressFile = async (name: string) => {
      const path = join(dir, name)
      const content = await readFile(path)
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotli))
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
    }
    await Promise.all(Object.keys(bundle).filter(isCompressible).map(compressFile))
  },
})
