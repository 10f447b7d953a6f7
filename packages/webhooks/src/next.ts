/** Next.js: a route handler of the App Router, or an API route of the Pages Router. */
import type { ServerResponse } from 'node:http'
import { handleNodeRequest, type NodeRequest } from './node-request.ts'
import type { WebhookOptions } from './receive.ts'

/** For `export const POST = …` in `app/hook/route.ts`, on the Node.js and the edge runtime. */
export { createFetchHandler as createNextRoute } from './fetch.ts'

/**
 * For `export default …` in `pages/api/hook.ts`. That file also needs
 * `export const config = { api: { bodyParser: false } }`: a signature is over the exact bytes of the body.
 */
export const createNextApiHandler =
  (options: WebhookOptions) =>
  (request: NodeRequest, response: ServerResponse): Promise<void> =>
    handleNodeRequest(request, response, options)
