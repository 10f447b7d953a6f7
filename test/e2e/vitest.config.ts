import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base, { file } from '../../vitest.config.ts'

/** Takes as long as all other files of its worker together. Started last, it would run alone. */
const longest = 'console-accessibility.test.ts'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = (await super.sort(files)).filter(({ moduleId }) => !moduleId.endsWith(longest))
    return [...files.filter((file) => !others.includes(file)), ...others]
  }
}

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', file('test/summary-reporter.ts'), file('test/e2e/driven-reporter.ts')],
    // A browser may time out once on a busy machine; a real fault fails twice.
    retry: 1,
    // Long enough for a busy machine. Costs nothing on an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 100 } },
  },
})
