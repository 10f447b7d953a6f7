/** Reads the credentials of a request and identifies the callers. */
import type { IncomingHttpHeaders } from 'node:http'
import { TesseraError } from '../errors.ts'
import type { Tenant } from '../tenant.ts'
import type { Access, Caller, Callers, KeyCaller, KeyKind, MemberCaller } from './context.ts'
import { isGoodCaller, requireCaller } from './context.ts'

export const keyHeader = { public: 'x-api-key', secret: 'x-api-secret' } as const
/** The environment of a member. Keys have theirs in the prefix. */
export const environmentHeader = 'x-environment'
/** The token of a user, next to a public key. */
export const userTokenHeader = 'x-user-token'

/** Looks up the sender of a credential. Each function throws the authentication errors of the interface. */
export type Authenticate = {
  /**
   * `address` is that of the sender. `userToken` is the token sent with a public key.
   */
  key(
    text: string,
    kind: KeyKind,
    address: string,
    userToken: string | undefined,
  ): Promise<KeyCaller>
  member(token: string, environment: Tenant['environment']): Promise<MemberCaller>
  /** By the cookie of the console. */
  session(token: string, environment: Tenant['environment']): Promise<MemberCaller>
}

/** Header fields, or the connection parameters of a WebSocket, by lower-case name. */
type Fields = IncomingHttpHeaders | Record<string, unknown>

/** The credentials of a request. */
export type Sent = {
  fields: Fields
  address: string
  /** The cookie of the console, if it counts for this request. */
  session?: string | undefined
}

export const fieldTextOf = (fields: Fields, name: string): string | undefined => {
  const text = fields[name]
  return typeof text === 'string' && text !== '' ? text : undefined
}

const environmentOf = (fields: Fields): Tenant['environment'] => {
  const text = fieldTextOf(fields, environmentHeader) ?? 'LIVE'
  if (text !== 'TEST' && text !== 'LIVE') throw new TesseraError('INVALID_ENVIRONMENT')
  return text
}

const bearer = /^Bearer +([\w.-]{1,4096})$/i

const keyCallerOf = async (
  { fields, address }: Sent,
  kind: KeyKind,
  authenticate: Authenticate,
) => {
  const text = fieldTextOf(fields, keyHeader[kind])
  const userToken = kind === 'public' ? fieldTextOf(fields, userTokenHeader) : undefined
  return text === undefined ? undefined : authenticate.key(text, kind, address, userToken)
}

const memberCallerOf = async ({ fields, session }: Sent, authenticate: Authenticate) => {
  const text = fieldTextOf(fields, 'authorization')
  if (text === undefined)
    return session === undefined ? undefined : authenticate.session(session, environmentOf(fields))
  const [, token] = bearer.exec(text) ?? []
  if (!token) throw new TesseraError('INVALID_BEARER_TOKEN')
  return authenticate.member(token, environmentOf(fields))
}

const orRefusal = async <T>(caller: Promise<T>): Promise<T | TesseraError> =>
  caller.catch((error) => {
    if (error instanceof TesseraError) return error
    throw error
  })

/** A public key that comes with a secret key or a member may name any user. */
const trustedWith = (
  { secret, member }: Callers,
  key: KeyCaller | TesseraError,
): KeyCaller | TesseraError => {
  if (!isGoodCaller(key) || !(isGoodCaller(secret) || isGoodCaller(member))) return key
  const { user: _, ...rest } = key as KeyCaller
  return { ...rest, userTokens: 'OPTIONAL' }
}

/** The callers of a request. The error of a refused credential is kept until a field requires that access. */
export const readCallers = async (
  sent: Sent,
  authenticate: Authenticate,
  kinds: (keyof Callers)[] = ['public', 'secret', 'member'],
): Promise<Callers> => {
  const callers: Callers = {}
  for (const kind of kinds) {
    if (kind === 'member') {
      const caller = await orRefusal(memberCallerOf(sent, authenticate))
      if (caller) callers.member = caller
    } else {
      const caller = await orRefusal(keyCallerOf(sent, kind, authenticate))
      if (caller) callers[kind] = caller
    }
  }
  return callers.public ? { ...callers, public: trustedWith(callers, callers.public) } : callers
}

/** Revoked access closes streams within five seconds, including the time that keys are cached. */
const checkMs = 1_000

const isOperator = (caller: Caller) => caller.kind === 'member' && caller.isOperator

/** Why a caller may no longer use a stream that was opened by `before`; null if they may. */
const refusalOf = (
  before: Callers[keyof Callers],
  now: Callers[keyof Callers],
): TesseraError | null => {
  if (!isGoodCaller(now)) return now ?? null
  if (!isGoodCaller(before)) return null
  if (isOperator(before) && !isOperator(now)) return new TesseraError('ADMIN_REQUIRED')
  const hasLost = before.rights.some((right) => !now.rights.includes(right))
  return hasLost ? new TesseraError('RIGHT_REQUIRED') : null
}

/**
 * Checks the credentials of an open stream again and reports once when one is no longer valid: revoked, signed
 * out, with fewer rights, no longer an operator, or its application or partner closed. Returns the function that
 * stops it.
 */
export const watchCallers = (
  callers: Callers,
  sent: Sent,
  authenticate: Authenticate,
  onRefused: (error: TesseraError) => void,
): (() => void) => {
  const kinds = (Object.keys(callers) as (keyof Callers)[]).filter((kind) =>
    isGoodCaller(callers[kind]),
  )
  if (kinds.length === 0) return () => {}
  let isWatching = true
  const check = async () => {
    // An unavailable database revokes nothing.
    const now = await readCallers(sent, authenticate, kinds).catch(() => callers)
    if (!isWatching) return
    const refused = kinds.map((kind) => refusalOf(callers[kind], now[kind])).find(Boolean)
    if (refused) onRefused(refused)
    else plan()
  }
  let next: NodeJS.Timeout
  const plan = () => {
    next = setTimeout(check, checkMs).unref()
  }
  plan()
  return () => {
    isWatching = false
    clearTimeout(next)
  }
}

/** Whether a public key may name one user only, or none. */
const namesFewUsers = (key: Callers['public']): key is KeyCaller =>
  key !== undefined &&
  !(key instanceof Error) &&
  (key.user !== undefined || key.userTokens === 'REQUIRED')

/** The credential that a route accepts. */
const credentialOf = {
  public: ['public'],
  secret: ['secret'],
  member: ['member'],
  operator: ['member'],
  anyone: [],
} as const satisfies Record<Access, (keyof Callers)[]>

/**
 * The caller of a route, by the credential that it accepts.
 * @param route `takesSecret`: a secret key is accepted in place of a public key or beside one. Then both must be valid,
 * so that what a backend sends is either trusted or refused.
 * @throws TesseraError one of the authentication failures of the interface
 */
export const authenticateRoute = async (
  { headers, ip }: { headers: Fields; ip: string },
  { key: access, takesSecret }: { key: Access; takesSecret: boolean },
  authenticate: Authenticate,
) => {
  const sent = { fields: headers, address: ip }
  if (takesSecret && fieldTextOf(headers, keyHeader.secret) !== undefined) {
    const both = await readCallers(sent, authenticate, ['public', 'secret'])
    if (both.public instanceof Error) throw both.public
    return requireCaller({ callers: both }, 'secret', null)
  }
  const callers = await readCallers(sent, authenticate, [...credentialOf[access]])
  if (access === 'public' && namesFewUsers(callers.public)) {
    // What is sent beside it counts for this key as in GraphQL.
    const beside = await readCallers(sent, authenticate, ['secret', 'member'])
    Object.assign(callers, { ...beside, public: trustedWith(beside, callers.public) })
  }
  // The operation of the route checks the right.
  return requireCaller({ callers }, access, null)
}
