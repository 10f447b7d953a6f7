/** Authenticates callers by API key. */

import { hash } from 'node:crypto'
import type { ApiKey } from '../generated/prisma/client.ts'
import type { ApiKeyKind, PublicProfiles, UserTokens } from '../generated/prisma/enums.ts'
import type { KeyCaller, KeyKind } from '../kit/access/context.ts'
import { type Right, rightsOfKind } from '../kit/access/rights.ts'
import { orOtherCell } from '../kit/cell.ts'
import { acrossTenants } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { networkFilter } from '../kit/security/network.ts'
import type { Tenant } from '../kit/tenant.ts'
import { identityCache } from './identity-cache.ts'
import { noteUse } from './last-use.ts'
import { type Signer, withUserToken } from './user-token.ts'

/** The rights of a key: all of its kind, or those of its scopes. */
export const rightsOfKey = ({ kind, scopes }: Pick<ApiKey, 'kind' | 'scopes'>): Right[] =>
  rightsOfKind[kind].filter((right) => scopes.length === 0 || scopes.includes(right))

type FoundKey = {
  id: string
  partnerId: string
  environment: Tenant['environment']
  applicationId: string
  kind: ApiKeyKind
  rights: Right[]
  revokedAt: Date | null
  expiresAt: Date | null
  /** Whether a key may be used from an address; null for a key without restrictions. */
  isAllowedFrom: ((address: string) => boolean) | null
  application: { status: string; publicProfiles: PublicProfiles; userTokens: UserTokens } & Signer
  partner: { closedAt: Date | null }
}

/** Reads keys by their digests (hexadecimal), with what is needed to validate them. */
const findApiKeys = async ({ tx }: Work, digests: string[]): Promise<(FoundKey | Error)[]> => {
  const keys = await acrossTenants(tx, 'CREDENTIAL').apiKey.findMany({
    where: { hash: { in: digests.map((hex) => new Uint8Array(Buffer.from(hex, 'hex'))) } },
    include: {
      application: {
        select: {
          status: true,
          publicProfiles: true,
          userTokens: true,
          userTokenJwksUrl: true,
          userTokenKeys: true,
        },
      },
      partner: { select: { closedAt: true } },
    },
  })
  const found = inOrder(digests, keys, ({ hash }) => Buffer.from(hash).toString('hex'))
  return found.map((row) => {
    if (!row) return new TesseraError('INVALID_API_KEY')
    const { hash: _, allowedNetworks, ...key } = row
    const isAllowedFrom = allowedNetworks.length > 0 ? networkFilter(allowedNetworks) : null
    return { ...key, isAllowedFrom, rights: rightsOfKey(key) }
  })
}

const memoryOf = identityCache<FoundKey>('api keys', 10_000)

/** Removes a key from the cache of this node. */
export const forgetKey = (runtime: Pick<Runtime, 'singletons'>, { hash }: ApiKey): void => {
  memoryOf(runtime).delete(Buffer.from(hash).toString('hex'))
}

const format = /^[ps]k_(?:test|live)_(?:([a-z][a-z0-9]{0,15})_)?[0-9A-Za-z]{43}$/

/** What a key says of itself that is sent as another kind. */
const hints: Record<KeyKind, string> = {
  public: 'This is a secret key. Send it as X-API-Secret, and only from a server',
  secret:
    'This is a public key. Send it as X-API-Key; this needs a secret key, sk_…, as X-API-Secret',
}

const isOfOtherKind = (text: string, kind: KeyKind): boolean =>
  text.startsWith(kind === 'public' ? 'sk_' : 'pk_')

/** The message is that of the interface; the hint follows from the text that was sent. */
const invalidKey = (text: string, kind: KeyKind): TesseraError =>
  new TesseraError('INVALID_API_KEY', isOfOtherKind(text, kind) ? { hint: hints[kind] } : {})

/**
 * The caller who sends this key. The checks are in the order of the interface: unknown or of the wrong kind → revoked →
 * application → partner. Expiry and network are checked last.
 * @param address the network address that sends it
 * @param userToken the user token that is sent with it
 * @throws TesseraError one of the authentication failures of the interface; API_KEY_EXPIRED,
 * API_KEY_NETWORK_NOT_ALLOWED, INVALID_USER_TOKEN; WRONG_CELL for a key or a user token of another cell
 */
export const authenticate = async (
  runtime: Runtime,
  text: string,
  kind: KeyKind,
  address: string,
  userToken?: string,
): Promise<KeyCaller> => {
  if (!format.test(text) || isOfOtherKind(text, kind)) throw invalidKey(text, kind)
  const hex = hash('sha256', text)
  const memory = memoryOf(runtime)
  let key = memory.get(hex)
  if (!key) {
    key = await runtime.read(findApiKeys, hex).catch(orOtherCell(text, format, runtime.keys.cell))
    memory.set(hex, key)
  }
  if (key.kind !== (kind === 'public' ? 'PUBLIC' : 'SECRET')) throw invalidKey(text, kind)
  if (key.revokedAt) throw new TesseraError('API_KEY_REVOKED')
  if (key.application.status !== 'ACTIVE') throw new TesseraError('APPLICATION_NOT_ACTIVE')
  if (key.partner.closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  if (key.expiresAt && key.expiresAt <= runtime.clock()) throw new TesseraError('API_KEY_EXPIRED')
  if (key.isAllowedFrom && !key.isAllowedFrom(address))
    throw new TesseraError('API_KEY_NETWORK_NOT_ALLOWED')
  const { id, partnerId, environment, applicationId, rights } = key
  noteUse(runtime, 'API keys', id)
  const { publicProfiles, userTokens } = key.application
  const tenant = { partnerId, environment }
  const caller = { kind, keyId: id, ...tenant, applicationId, publicProfiles, userTokens, rights }
  return userToken === undefined
    ? caller
    : withUserToken(runtime, caller, userToken, key.application)
}
