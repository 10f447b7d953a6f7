import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../../scripts/precompress.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The arena's pages: for the browser, and as text for the first paint. `npm run pages` builds both. */
export default defineConfig({
  root: path('spectators/'),
  base: '/arena/assets/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  builder: {},
  plugins: [{ ...precompress(), applyToEnvironment: ({ name }) => name === 'client' }],
  environments: {
    client: {
      build: {
        outDir: path('../generated/pages/client'),
        emptyOutDir: true,
        assetsDir: '',
        assetsInlineLimit: 0,
        manifest: 'manifest.json',
        modulePreload: { polyfill: false },
        target: 'es2022',
        rollupOptions: {
          input: [path('spectators/arena-page.tsx'), path('spectators/match-page.tsx')],
        },
      },
    },
    ssr: {
      build: {
        outDir: path('../generated/pages/server'),
        emptyOutDir: true,
        ssr: true,
        rollupOptions: { input: path('spectators/server-views.tsx') },
      },
    },
  },
})
