/** Express, and other frameworks with `(request, response, next)`. */
import type { ServerResponse } from 'node:http'
import { handleNodeRequest, type NodeRequest } from './node-request.ts'
import type { WebhookOptions } from './receive.ts'

/**
 * A handler for `app.post('/hook', …)`. Mount it before `express.json()`, or behind `express.raw({ type: '*\/*' })`:
 * a signature is over the exact bytes of the body.
 */
export const createExpressHandler =
  (options: WebhookOptions) =>
  (request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): void => {
    handleNodeRequest(request, response, options).catch(next)
  }
