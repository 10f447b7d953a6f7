import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompress } from '../scripts/precompress.ts'
import { usedStyles } from '../scripts/used-styles.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The console, for the browser. A part of `npm run pages`, after `npm run generate`. */
export default defineConfig({
  root: folder('.'),
  base: '/console/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  html: { cspNonce: '%CSP_NONCE%' },
  plugins: [usedStyles(), precompress()],
  build: {
    outDir: folder('../src/generated/console/'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      // Ignores warnings about React server directives, which do not matter in a browser.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
      output: {
        codeSplitting: {
          groups: [
            // What the sign-in needs, which is all that it loads.
            { name: 'base', test: /\/console\/(?:main\.tsx|door\/)/, priority: 2 },
            // What most pages use. As chunks of their own, these modules would be forty requests.
            { name: 'shared', minShareCount: 24, priority: 1 },
          ],
        },
      },
    },
  },
})
