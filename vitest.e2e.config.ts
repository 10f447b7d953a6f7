import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['node_modules/**'],
    reporters: ['default', './test/summary-reporter.ts', './test/e2e/driven-reporter.ts'],
    // A browser may miss its time once where the machine is busy; a fault fails twice.
    retry: 1,
    // Long enough for a busy machine. Nothing takes longer for that where it is idle.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 100 } },
  },
})
