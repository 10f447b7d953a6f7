/** One request, sent once. */
import { Fault, faultOf } from './fault.ts'

/** A request by GraphQL over HTTP. */
export const requestOf = (
  baseUrl: string,
  { query, variables, accept }: { query: string; variables: object; accept: string },
  signal?: AbortSignal,
): Request =>
  new Request(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  })

/**
 * The response: with its whole body if it is an error or there is a time limit, otherwise as soon as it begins.
 * @throws Fault, or the reason of an aborted signal
 */
export const reach = async (
  callFetch: (request: Request, init: RequestInit) => Promise<Response>,
  request: Request,
  timeoutMs?: number,
): Promise<Response> => {
  const caller = request.signal
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signal = limit ? AbortSignal.any([caller, limit]) : caller
  try {
    const response = await callFetch(request, { signal })
    if (!limit && response.ok) return response
    const text = await response.text()
    if (!response.ok) throw faultOf(response, text)
    return new Response(text, response)
  } catch (cause) {
    if (caller.aborted) throw caller.reason
    if (cause instanceof Fault) throw cause
    throw limit?.aborted
      ? new Fault('TIMED_OUT', `There was no answer in ${timeoutMs} ms`, { cause })
      : new Fault('CONNECTION_FAILED', `${new URL(request.url).origin} cannot be reached`, {
          cause,
        })
  }
}
