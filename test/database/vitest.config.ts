import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      'test/database/plans.test.ts',
      'test/database/result-rows.test.ts',
      'test/database/user-list-plans.test.ts',
    ],
    exclude: ['**/node_modules/**'],
    // Reads the database that the previous run has written.
    globalSetup: [],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
