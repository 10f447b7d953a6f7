import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/e2e/**/*.test.ts'], exclude: ['node_modules/**'] },
})
