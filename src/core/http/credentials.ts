/** The credentials of a request: where they stand, and who they say is calling. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Access, Callers, KeyCaller, KeyKind, MemberCaller } from '../context.ts'
import { isGoodCaller, requireCaller } from '../context.ts'
import { TesseraError } from '../errors.ts'
import type { Tenant } from '../tenant.ts'

export const keyHeader = { public: 'x-api-key', secret: 'x-api-secret' } as const
/** Which environment a member means; keys have theirs in their prefix. */
export const environmentHeader = 'x-environment'

/** Who sends a credential; each throws the authentication failures of the interface. */
export type Authenticate = {
  /** `address` is where the key is sent from. */
  key(text: string, kind: KeyKind, address: string): Promise<KeyCaller>
  member(token: string, environment: Tenant['environment']): Promise<MemberCaller>
}

/** Header fields, or the connection parameters of a WebSocket, by lower-case name. */
type Fields = IncomingHttpHeaders | Record<string, unknown>

export const fieldOf = (fields: Fields, name: string): string | undefined => {
  const text = fields[name]
  return typeof text === 'string' && text !== '' ? text : undefined
}

const environmentOf = (fields: Fields): Tenant['environment'] => {
  const text = fieldOf(fields, environmentHeader) ?? 'LIVE'
  if (text !== 'TEST' && text !== 'LIVE') throw new TesseraError('INVALID_ENVIRONMENT')
  return text
}

const bearer = /^Bearer +([\w.-]{1,4096})$/i

const keyCallerOf = async (
  fields: Fields,
  address: string,
  kind: KeyKind,
  authenticate: Authenticate,
) => {
  const text = fieldOf(fields, keyHeader[kind])
  return text === undefined ? undefined : authenticate.key(text, kind, address)
}

const memberCallerOf = async (fields: Fields, authenticate: Authenticate) => {
  const text = fieldOf(fields, 'authorization')
  if (text === undefined) return undefined
  const [, token] = bearer.exec(text) ?? []
  if (!token) throw new TesseraError('INVALID_BEARER_TOKEN')
  return authenticate.member(token, environmentOf(fields))
}

const orRefusal = async <T>(caller: Promise<T>): Promise<T | TesseraError> =>
  caller.catch((error) => {
    if (error instanceof TesseraError) return error
    throw error
  })

/** The callers of a request: an error stands for a credential that was refused, until a field asks for it. */
export const readCallers = async (
  fields: Fields,
  address: string,
  authenticate: Authenticate,
  kinds: (keyof Callers)[] = ['public', 'secret', 'member'],
): Promise<Callers> => {
  const callers: Callers = {}
  for (const kind of kinds) {
    if (kind === 'member') {
      const caller = await orRefusal(memberCallerOf(fields, authenticate))
      if (caller) callers.member = caller
    } else {
      const caller = await orRefusal(keyCallerOf(fields, address, kind, authenticate))
      if (caller) callers[kind] = caller
    }
  }
  return callers
}

/** A right that ends closes its streams within five seconds, with the memory of keys counted in. */
const checkMs = 1_000

/**
 * Reads the credentials of a stream again while it is open, and tells once when one of them is no longer
 * good: revoked, signed out, or its application or partner closed. Gives the function that ends this.
 */
export const watchCallers = (
  callers: Callers,
  fields: Fields,
  ip: string,
  authenticate: Authenticate,
  onRefused: (error: TesseraError) => void,
): (() => void) => {
  const kinds = (Object.keys(callers) as (keyof Callers)[]).filter((kind) =>
    isGoodCaller(callers[kind]),
  )
  if (kinds.length === 0) return () => {}
  const check = setInterval(async () => {
    // A database that is away ends no right.
    const now = await readCallers(fields, ip, authenticate, kinds).catch(() => callers)
    const refused = Object.values(now).find((caller) => caller instanceof TesseraError)
    if (!refused) return
    clearInterval(check)
    onRefused(refused)
  }, checkMs)
  check.unref()
  return () => clearInterval(check)
}

/** The one credential that a route takes. */
const credentialOf = {
  public: ['public'],
  secret: ['secret'],
  member: ['member'],
  admin: ['member'],
  anyone: [],
} as const satisfies Record<Access, (keyof Callers)[]>

/**
 * The caller of a route, by the one credential that it takes.
 * @throws TesseraError one of the authentication failures of the interface
 */
export const authenticateRoute = async (
  { headers, ip }: { headers: Fields; ip: string },
  access: Access,
  authenticate: Authenticate,
) => {
  const callers = await readCallers(headers, ip, authenticate, [...credentialOf[access]])
  return requireCaller({ callers }, access)
}
