import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../../scripts/precompress.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The widgets, for pages of any origin. A part of `npm run pages`. */
export default defineConfig({
  root: folder('.'),
  // Chunks are found beside the script, wherever it is.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { alias: { 'preact/jsx-runtime': folder('src/jsx-runtime.ts') } },
  plugins: [precompress()],
  build: {
    outDir: folder('../../src/generated/widgets/'),
    emptyOutDir: true,
    modulePreload: false,
    target: 'es2022',
    rolldownOptions: {
      input: folder('src/widgets.ts'),
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: 'widgets.js',
        chunkFileNames: 'widgets/[name]-[hash].js',
      },
    },
  },
})
