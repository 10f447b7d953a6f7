/** The session of the console: a cookie that scripts cannot read (see `POST /console/session`). */

/** Proves that a request comes from a page of this origin: other origins cannot send it without a preflight. */
export const sameOriginHeader = { 'X-Tessera-Console': '1' } as const

/** An error in the form of REST. */
type RestError = {
  message: string
  errorCode: string
  requestId: string
  errors: { field: string; message: string }[]
}

export type SessionRefusal = {
  code: string
  message: string
  requestId: string | null
  /** The fields that were refused. */
  fields?: readonly { readonly path: readonly string[]; readonly message: string }[]
}

const refusalOf = async (response: Response): Promise<SessionRefusal> => {
  const body = (await response.json().catch(() => ({}))) as Partial<RestError>
  return {
    code: body.errorCode ?? 'UNKNOWN',
    message: body.message ?? `The server answered ${response.status}.`,
    requestId: body.requestId ?? null,
    fields: (body.errors ?? []).map(({ field, message }) => ({ path: field.split('.'), message })),
  }
}

const unreachable: SessionRefusal = {
  code: 'UNREACHABLE',
  message: 'The server cannot be reached.',
  requestId: null,
}

export type SignedIn = { memberId: string }

/** Signs in. Returns who it was, or the reason for a refusal. */
export const startSession = async (credentials: {
  email: string
  password: string
  code?: string
}): Promise<SignedIn | SessionRefusal> => {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...sameOriginHeader },
    body: JSON.stringify(credentials),
  }).catch(() => null)
  if (!response) return unreachable
  if (!response.ok) return refusalOf(response)
  const { data } = (await response.json()) as { data: { id: string } }
  return { memberId: data.id }
}

/** Whether a sign-in was refused. */
export const isRefusal = (result: SignedIn | SessionRefusal): result is SessionRefusal =>
  'code' in result

/** Asks the member to sign in again over the page; undefined while no page is shown that could. */
let ask: (() => Promise<void>) | undefined

/** The question that is shown. All requests that the session has ended for wait for it. */
let query: Promise<void> | undefined

let renewals = 0
const listeners = new Set<() => void>()

/** How often the member has signed in again on this page. */
export const renewalCount = () => renewals

export const onRenewal = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Says what asks the member to sign in again. */
export const askBy = (question: () => Promise<void>) => {
  ask = question
  return () => {
    ask = undefined
  }
}

/**
 * Waits until the member has signed in again. False if no page can ask them.
 * @param before the number of renewals when the request was sent; a later one may have renewed the session already
 */
export const renewSession = async (before: number): Promise<boolean> => {
  if (before < renewals) return true
  if (!ask) return false
  query ??= ask().then(() => {
    renewals++
    query = undefined
    for (const listener of listeners) listener()
  })
  await query
  return true
}

/** Signs out on this device. */
export const endSession = async (): Promise<void> => {
  ask = undefined
  await fetch('/console/session', { method: 'DELETE', headers: sameOriginHeader }).catch(() => null)
  location.assign('/console/sign-in')
}

/** The URL of the sign-in page, which leads back to this page. */
export const signInUrl = () =>
  `/console/sign-in?then=${encodeURIComponent(location.pathname + location.search)}`
