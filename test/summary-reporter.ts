import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line that any tool can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++
      if (module.errors().length > 0) counts.failed++
    }
    console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
  }
}
