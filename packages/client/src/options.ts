import type { GraphqlError } from './fault.ts'

export type TesseraOptions = {
  /** Where Tessera is served, such as `https://tessera.example.com`. */
  baseUrl: string
  /** `pk_…`, for calls from pages and apps, such as playing. */
  publicKey?: string | undefined
  /** `sk_…`, for calls from your server, such as awarding. A server that makes both kinds of calls sets both keys. */
  secretKey?: string | undefined
  /**
   * The token of the signed-in user, or a function that requests one from your server. The function is called
   * when a token is first needed, and again when the token has expired. If it fails, the call fails with
   * NO_USER_TOKEN.
   */
  userToken?: string | (() => string | Promise<string>) | undefined
  /** The access token of a member of your team, instead of a key. */
  accessToken?: string | undefined
  /** The environment of calls with `accessToken`; keys have their own. */
  environment?: 'TEST' | 'LIVE' | undefined
  /** The number of retries of a failed call; default 3. */
  retries?: number | undefined
  /** The time limit of one attempt in milliseconds; default 30,000. */
  timeoutMs?: number | undefined
  /** The longest `Retry-After` to wait for, in seconds; default 30. A longer one fails at once. */
  longestWaitSeconds?: number | undefined
  /** A custom `fetch`, such as one with a proxy. */
  fetch?: typeof fetch | undefined
}

/** Options of a single call. */
export type CallOptions = {
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * Calls with the same key are carried out once. Use, for example, the id of an order. By default, each call has a
   * random key, which all of its attempts share.
   */
  idempotencyKey?: string | undefined
}

/** Options of a single GraphQL query or mutation. */
export type GraphqlOptions = CallOptions & {
  /**
   * Called with the errors of an answer that also has data, such as RIGHT_REQUIRED for one of its fields. The call
   * then returns the data, in which each refused field is null. Without it, the call throws the first error.
   */
  onFieldErrors?: ((errors: readonly GraphqlError[]) => void) | undefined
}
