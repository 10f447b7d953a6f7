/** Sends requests: with credentials, a time limit and retries. */
import { Fault } from './fault.ts'
import type { TesseraOptions } from './options.ts'
import { reach } from './request.ts'
import { backoffMs, mayRetry, sleep } from './retry.ts'

export const idempotencyHeader = 'idempotency-key'

export type Transport = {
  baseUrl: string
  retries: number
  /** The response with its whole body. @throws Fault */
  send(request: Request, isRepeatable?: boolean): Promise<Response>
  /** The response as soon as it begins, from one attempt without a time limit. @throws Fault */
  open(request: Request): Promise<Response>
}

/** @throws TypeError for a key of the wrong kind, or in the wrong place */
const keyHeaders = ({ publicKey, secretKey }: TesseraOptions): Record<string, string> => {
  if (publicKey !== undefined && !/^pk_[!-~]+$/.test(publicKey))
    throw new TypeError('A public key begins with pk_ and has no “…”. Is it set?')
  if (secretKey !== undefined && !/^sk_[!-~]+$/.test(secretKey))
    throw new TypeError('A secret key begins with sk_ and has no “…”. Is it set?')
  if (secretKey !== undefined && typeof document !== 'undefined')
    throw new TypeError('A secret key must never be in a browser. Use the public key, pk_…')
  return {
    ...(publicKey !== undefined && { 'x-api-key': publicKey }),
    ...(secretKey !== undefined && { 'x-api-secret': secretKey }),
  }
}

/**
 * A token that can be sent in a header, or undefined without a user.
 * @throws Fault for anything else, such as the page that a server sends for an unknown path
 */
const checkedToken = (token: unknown): string | undefined => {
  if (token === undefined || (typeof token === 'string' && /^[\w.-]+$/.test(token))) return token
  throw new Fault('NO_USER_TOKEN', 'userToken gave something else than the text of a token')
}

/** Sets the credentials of requests, and renews the token of the user. */
const createCredentials = (options: TesseraOptions) => {
  const { accessToken, environment, userToken } = options
  const headers: Record<string, string> = {
    ...keyHeaders(options),
    ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    ...(environment !== undefined && { 'x-environment': environment }),
  }
  let token: Promise<string> | undefined
  const readToken = async () => {
    if (typeof userToken !== 'function') return checkedToken(userToken)
    token ??= Promise.resolve().then(userToken)
    const requested = token
    try {
      return checkedToken(await requested)
    } catch (cause) {
      if (token === requested) token = undefined
      throw cause instanceof Fault
        ? cause
        : new Fault('NO_USER_TOKEN', 'userToken failed', { cause })
    }
  }
  return {
    canRenew: typeof userToken === 'function',
    /** Returns the token of the user, if there is one. */
    apply: async (request: Request): Promise<string | undefined> => {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      const current = await readToken()
      if (current !== undefined) request.headers.set('x-user-token', current)
      return current
    },
    /** Forgets a token that was refused, unless another call has renewed it. */
    forget: async (refused: string | undefined) => {
      if ((await token?.catch(() => undefined)) === refused) token = undefined
    },
  }
}

/**
 * The address without a slash at its end. A page may leave out the host: its own is meant.
 * @throws TypeError for an address without a scheme, which `fetch` would take for a path
 */
const addressOf = ({ baseUrl }: TesseraOptions): string => {
  const isOfPage = typeof document !== 'undefined' && /^(\/|$)/.test(baseUrl)
  if (!/^https?:\/\//.test(baseUrl) && !isOfPage)
    throw new TypeError(
      `baseUrl begins with http:// or https://, and is ${JSON.stringify(baseUrl)}`,
    )
  return baseUrl.replace(/\/+$/, '')
}

export const createTransport = (options: TesseraOptions): Transport => {
  const { retries = 3, timeoutMs = 30_000, longestWaitSeconds = 30 } = options
  const credentials = createCredentials(options)
  const callFetch: typeof fetch = options.fetch ?? ((...sent) => fetch(...sent))

  /** One attempt, and a second one with a new token if the user's token has expired. */
  const attempt = async (request: Request, limitMs?: number) => {
    const once = request.clone()
    const token = await credentials.apply(once)
    try {
      return await reach(callFetch, once, limitMs)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'INVALID_USER_TOKEN') throw error
      if (!credentials.canRenew) throw error
      await credentials.forget(token)
      const again = request.clone()
      await credentials.apply(again)
      return reach(callFetch, again, limitMs)
    }
  }

  return {
    baseUrl: addressOf(options),
    retries,
    open: (request) => attempt(request),
    send: async (request, isRepeatable = false) => {
      const canRepeat =
        isRepeatable ||
        ['GET', 'HEAD', 'DELETE'].includes(request.method) ||
        request.headers.has(idempotencyHeader)
      for (let failures = 0; ; failures++) {
        try {
          return await attempt(request, timeoutMs)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          const waitMs = (error.retryAfterSeconds ?? 0) * 1000
          const isLast = failures >= retries || waitMs > longestWaitSeconds * 1000
          if (isLast || !mayRetry(error, canRepeat)) throw error
          await sleep(Math.max(waitMs, backoffMs(failures)), request.signal)
        }
      }
    },
  }
}
