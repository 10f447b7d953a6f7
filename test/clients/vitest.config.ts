import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/clients/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // Packs packages, runs compilers and opens browsers.
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
})
