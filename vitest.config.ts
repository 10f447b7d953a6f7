import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { onPostgres } from './test/postgres.ts'
import { postgresFiles } from './test/postgres-files.ts'

/** The absolute path of a file of the repository. */
export const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // A single copy of graphql: a second copy would not know the types of the first.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    include: onPostgres ? postgresFiles : ['test/**/*.test.ts'],
    exclude: ['test/{clients,e2e,survival,database}/**', '**/node_modules/**'],
    globalSetup: file('test/template.ts'),
    setupFiles: [file('test/report-running.ts'), file('test/undeclared-errors.ts')],
    // A file takes less than half of the time once the server's code is loaded.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Long enough for a busy machine. Costs nothing on an idle one.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    maxWorkers: 2,
    reporters: ['default', file('test/summary-reporter.ts')],
  },
})
