import type { PublicProfiles, UserTokens } from '../../generated/prisma/enums.ts'
import { TesseraError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Tenant } from '../tenant.ts'
import type { ExternalId } from '../user-id.ts'
import type { Right } from './rights.ts'

export type KeyKind = 'public' | 'secret'

/** A caller with a valid API key. */
export type KeyCaller = Tenant & {
  kind: KeyKind
  keyId: string
  applicationId: string
  /** How much of profiles its application shows to public keys. */
  publicProfiles: PublicProfiles
  /** Whether its application lets public keys name users without a token. */
  userTokens: UserTokens
  /** The user of the token that a public key was sent with. */
  user?: ExternalId
  rights: readonly Right[]
}

/** A signed-in person, in the environment of their `X-Environment` header. */
export type MemberCaller = Tenant & {
  kind: 'member'
  memberId: string
  signInId: string
  /** Whether they operate the service, for all partners. */
  isOperator: boolean
  rights: readonly Right[]
}

export type Caller = KeyCaller | MemberCaller

/** For each kind of credential sent: the caller, or why it was refused. */
export type Callers = {
  public?: KeyCaller | TesseraError
  secret?: KeyCaller | TesseraError
  member?: MemberCaller | TesseraError
}

/**
 * The access that a field requires. `public` and `secret` name the least privileged key; a member may use
 * what a secret key of their partner may. `member` requires a person, `operator` one who operates the service, `anyone`
 * nothing. Rights then decide what the caller may do.
 */
export type Access = 'public' | 'secret' | 'member' | 'operator' | 'anyone'

/** The caller known once this access is granted. */
export type CallerOf<A extends Access> = A extends 'anyone'
  ? null
  : A extends 'member' | 'operator'
    ? MemberCaller
    : Caller

export type Context = Runtime & {
  callers: Callers
  requestId: string
  /** Address of the caller. */
  ip: string
  /** A header of the request by its lower-case name. There are none without an HTTP request. */
  header?(name: string): string | undefined
  /**
   * How much of personal fields a public key sees. Only REST sets it, on routes whose documented answer has
   * such fields.
   */
  publicProfiles?: PublicProfiles
  /**
   * Charges what a mutation costs beyond its request. Only REST sets it: GraphQL charges before it executes.
   * @throws TesseraError RATE_LIMITED
   */
  charge?(points: number): Promise<unknown>
}

export const isGoodCaller = (caller: Callers[keyof Callers]): caller is Caller =>
  caller !== undefined && !(caller instanceof Error)

/** For each access: the credentials that grant it, the most privileged first. */
const accepted = {
  public: ['public', 'secret', 'member'],
  secret: ['secret', 'member'],
  member: ['member'],
  operator: ['member'],
} as const satisfies Record<Exclude<Access, 'anyone'>, (keyof Callers)[]>

const missing = {
  public: 'MISSING_API_KEY',
  secret: 'MISSING_API_SECRET',
  member: 'INVALID_BEARER_TOKEN',
  operator: 'INVALID_BEARER_TOKEN',
} as const

/** @throws TesseraError RIGHT_REQUIRED */
export const requireRight = ({ rights }: Pick<Caller, 'rights'>, right: Right): void => {
  if (!rights.includes(right))
    throw new TesseraError('RIGHT_REQUIRED', { message: `This requires the right ${right}`, right })
}

/**
 * The caller for a field that needs this access and this right; null for a field that every caller may read. A field
 * for operators requires no right.
 * @throws TesseraError one of the authentication failures of the interface; ADMIN_REQUIRED, RIGHT_REQUIRED
 */
export const requireCaller = <A extends Access>(
  { callers }: Pick<Context, 'callers'>,
  access: A,
  right: Right | null = 'READ',
): CallerOf<A> => {
  if (access === 'anyone') return null as CallerOf<A>
  const kind = access as Exclude<Access, 'anyone'>
  const caller = accepted[kind].map((name) => callers[name]).find((found) => found !== undefined)
  if (!caller) throw new TesseraError(missing[kind])
  if (caller instanceof Error) throw caller
  if (kind === 'operator' && !(caller as MemberCaller).isOperator)
    throw new TesseraError('ADMIN_REQUIRED')
  for (const other of Object.values(callers))
    if (
      isGoodCaller(other) &&
      (other.partnerId !== caller.partnerId || other.environment !== caller.environment)
    )
      throw new TesseraError('CREDENTIALS_MISMATCH')
  if (right && kind !== 'operator') requireRight(caller, right)
  return caller as CallerOf<A>
}
