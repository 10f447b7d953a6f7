import { globSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { readChanges } from './driven.ts'

/** Fails a run of all files when the console can change something that no test changes in a browser. */
export default class DrivenReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const changes = readChanges()
    if (process.env.DRIVEN)
      for (const { page, name, tests } of changes)
        console.log(`${page} | ${name} | ${tests[0] ?? '–'}`)
    const run = new Set(modules.map(({ moduleId }) => relative('', moduleId)))
    const isWhole = globSync('test/e2e/**/*.test.ts').every((file) => run.has(file))
    const missing = changes.filter(({ tests }) => tests.length === 0)
    if (!isWhole || missing.length === 0) return
    console.log(`\nNo test does this in a browser: ${missing.map(({ name }) => name).join(', ')}`)
    process.exitCode = 1
  }
}
