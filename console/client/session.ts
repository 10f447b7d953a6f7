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

/** Signs in. Returns null, or the reason for a refusal. */
export const startSession = async (credentials: {
  email: string
  password: string
  code?: string
}): Promise<SessionRefusal | null> => {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...sameOriginHeader },
    body: JSON.stringify(credentials),
  }).catch(() => null)
  if (!response) return unreachable
  return response.ok ? null : refusalOf(response)
}

/** Signs out on this device. */
export const endSession = async (): Promise<void> => {
  await fetch('/console/session', { method: 'DELETE', headers: sameOriginHeader }).catch(() => null)
  location.assign('/console/sign-in')
}

/** The URL of the sign-in page, which leads back to this page. */
export const signInUrl = () =>
  `/console/sign-in?then=${encodeURIComponent(location.pathname + location.search)}`
