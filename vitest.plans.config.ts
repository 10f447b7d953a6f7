import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/database/plans.test.ts', 'test/database/result-rows.test.ts'],
    exclude: ['node_modules/**'],
    // It reads what the run before it has written.
    globalSetup: [],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
