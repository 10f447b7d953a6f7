import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { testsWithoutDatabase } from './test/without-database.ts'

export default defineConfig({
  resolve: {
    // One copy of graphql, or types of one are unknown to the other.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/e2e/**',
      'test/survival/**',
      'test/database/plans.test.ts',
      'test/database/result-rows.test.ts',
      'node_modules/**',
      // They have run on the embedded database. Clients, and documents that are refused, do not depend on it.
      ...(process.env.TEST_DATABASE === 'postgres'
        ? [...testsWithoutDatabase(), 'test/sdk/**', 'test/hostile/**']
        : []),
    ],
    globalSetup: './test/template.ts',
    // A file costs less than half of the time where the server's code is warm.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Nothing takes longer for that where the machine is idle.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    maxWorkers: 2,
    reporters: ['default', './test/summary-reporter.ts'],
  },
})
