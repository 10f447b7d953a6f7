import { TesseraError } from './errors.ts'
import type { Runtime } from './runtime.ts'
import type { Tenant } from './tenant.ts'

export type KeyKind = 'public' | 'secret'

/** Who is calling, by a key that was found to be good. */
export type Caller = Tenant & { kind: KeyKind; keyId: string; applicationId: string }

/** For each header that was sent: the caller, or why the key was refused. */
export type Callers = { [kind in KeyKind]?: Caller | TesseraError }

export type Context = Runtime & { callers: Callers; requestId: string }

/**
 * The caller for a field that needs this kind of key. A secret key may do what a public key may.
 * @throws TesseraError one of the authentication failures of the interface.
 */
export const requireCaller = ({ callers }: Pick<Context, 'callers'>, kind: KeyKind): Caller => {
  const caller = callers[kind] ?? (kind === 'public' ? callers.secret : undefined)
  if (!caller) throw new TesseraError(kind === 'public' ? 'MISSING_API_KEY' : 'MISSING_API_SECRET')
  if (caller instanceof Error) throw caller
  const { public: other, secret } = callers
  if (
    other &&
    secret &&
    !(other instanceof Error || secret instanceof Error) &&
    (other.partnerId !== secret.partnerId || other.environment !== secret.environment)
  )
    throw new TesseraError('CREDENTIALS_MISMATCH')
  return caller
}
