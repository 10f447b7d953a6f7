/** The widgets for pages of any origin, built by `npm run pages` from `packages/widgets`. */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { findBuiltFiles, sendBuiltFile } from './built-files.ts'

const built = fileURLToPath(new URL('../generated/widgets', import.meta.url))

/**
 * Serves `/sdk/widgets.js`, which browsers revalidate each time, and the files it loads, which they cache forever.
 * @param folder if it is missing, the files are not found
 */
export const mountWidgets = (app: FastifyInstance, folder = built): void => {
  const files = findBuiltFiles(folder, {
    isHashed: (name) => name.startsWith('widgets/'),
    headers: {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
  for (const [name, file] of files)
    app.get(`/sdk/${name}`, (request, reply) => sendBuiltFile(request, reply, file()))
}
