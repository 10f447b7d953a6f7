import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from './tools/precompress.ts'

const pages = new URL('src/pages/spectators/', import.meta.url)
const page = (name: string) => fileURLToPath(new URL(name, pages))
const generated = (name: string) =>
  fileURLToPath(new URL(`src/generated/pages/${name}`, import.meta.url))

/** The arena's pages: for the browser, and as text for the first paint. `npm run pages` builds both. */
export default defineConfig({
  root: fileURLToPath(pages),
  base: '/arena/assets/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  builder: {},
  plugins: [{ ...precompress(), applyToEnvironment: ({ name }) => name === 'client' }],
  environments: {
    client: {
      build: {
        outDir: generated('client'),
        emptyOutDir: true,
        assetsDir: '',
        assetsInlineLimit: 0,
        manifest: 'manifest.json',
        modulePreload: { polyfill: false },
        target: 'es2022',
        rollupOptions: { input: [page('arena-page.tsx'), page('match-page.tsx')] },
      },
    },
    ssr: {
      build: {
        outDir: generated('server'),
        emptyOutDir: true,
        ssr: true,
        rollupOptions: { input: page('server-views.tsx') },
      },
    },
  },
})
