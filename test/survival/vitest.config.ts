import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/survival/**/*.test.ts'],
    // The image is installed and built again, which takes minutes: `npm run test:image`.
    exclude: ['**/node_modules/**', ...(process.env.IMAGE ? [] : ['test/survival/image.test.ts'])],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
})
