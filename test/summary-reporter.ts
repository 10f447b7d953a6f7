import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const slowest = 10

const secondsOf = (module: TestModule): number => {
  const { collectDuration, duration } = module.diagnostic()
  return (collectDuration + duration) / 1000
}

/** Closes a run with its slowest files, the tests that passed only when repeated, and one plain line for any tool. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++
      if (module.errors().length > 0) counts.failed++
    }
    console.log('\nThe slowest files:')
    for (const module of modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, slowest))
      console.log(`${secondsOf(module).toFixed(1).padStart(7)} s  ${relative('', module.moduleId)}`)
    const repeated = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky)
    if (repeated.length > 0) console.log('\nFailed at first, and passed when repeated:')
    for (const { module, fullName } of repeated)
      console.log(`  ${relative('', module.moduleId)} > ${fullName}`)
    console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
  }
}
