import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { v7 as uuid } from 'uuid'
import type { Caller, KeyCaller, KeyKind } from '../core/context.ts'
import type { Db } from '../core/db.ts'
import { TesseraError } from '../core/errors.ts'
import { randomSecret } from '../core/random.ts'
import type { Runtime, Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import type { ApiKey, ApiKeyKind } from '../generated/prisma/client.ts'
import type { PublicProfiles } from '../generated/prisma/enums.ts'

export type CreateApiKey = Tenant & {
  applicationId: string
  kind: ApiKeyKind
  label?: string | null
}

const digest = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'))

const keyText = (kind: ApiKeyKind, environment: Tenant['environment']) =>
  `${kind === 'PUBLIC' ? 'pk' : 'sk'}_${environment.toLowerCase()}_${randomSecret()}`

/** Makes a key. Its text is in the answer and nowhere else: only a digest is stored. */
export const createApiKey = async (
  { tx, clock }: Work,
  { partnerId, environment, applicationId, kind, label }: CreateApiKey,
): Promise<{ apiKey: ApiKey; key: string }> => {
  const key = keyText(kind, environment)
  const apiKey = await tx.apiKey.create({
    data: {
      id: uuid(),
      partnerId,
      environment,
      applicationId,
      kind,
      label: label ?? null,
      hash: digest(key),
      lastFour: key.slice(-4),
      createdAt: clock(),
    },
  })
  return { apiKey, key }
}

/**
 * The application a caller means: the one they name, that of their key, or the first of their partner.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
export const findApplicationId = async (
  { tx }: Pick<Work, 'tx'>,
  caller: Caller,
  named: string | null | undefined,
): Promise<string> => {
  const id = named ?? ('applicationId' in caller ? caller.applicationId : undefined)
  const application = await tx.application.findFirst({
    where: { partnerId: caller.partnerId, ...(id && { id }) },
    orderBy: { id: 'asc' },
  })
  if (!application) throw new TesseraError('APPLICATION_NOT_FOUND')
  return application.id
}

type FoundKey = {
  id: string
  partnerId: string
  environment: Tenant['environment']
  applicationId: string
  kind: ApiKeyKind
  revokedAt: Date | null
  application: { status: string; publicProfiles: PublicProfiles }
  partner: { closedAt: Date | null }
}

/** Reads keys by their digests (hexadecimal), with what decides whether they are good. */
const findApiKeys = async ({ tx }: Work, digests: string[]): Promise<(FoundKey | Error)[]> => {
  const keys = await tx.apiKey.findMany({
    where: { hash: { in: digests.map((hex) => new Uint8Array(Buffer.from(hex, 'hex'))) } },
    include: {
      application: { select: { status: true, publicProfiles: true } },
      partner: { select: { closedAt: true } },
    },
  })
  const byDigest = new Map(keys.map((key) => [Buffer.from(key.hash).toString('hex'), key]))
  return digests.map((hex) => byDigest.get(hex) ?? new TesseraError('INVALID_API_KEY'))
}

/** A revocation reaches every node within five seconds, because no node remembers longer. */
const memoryMs = 4_000
const memories = new WeakMap<Db, LRUCache<string, FoundKey>>()

const memoryOf = (db: Db) => {
  let memory = memories.get(db)
  if (!memory) {
    memory = new LRUCache({ max: 10_000, ttl: memoryMs })
    memories.set(db, memory)
  }
  return memory
}

const format = /^[ps]k_(test|live)_[0-9A-Za-z]{43}$/

/**
 * Who sends this key. The checks stand in the order of the interface: unknown or of the wrong kind →
 * revoked → application → partner.
 * @throws TesseraError one of the authentication failures of the interface
 */
export const authenticate = async (
  runtime: Runtime,
  text: string,
  kind: KeyKind,
): Promise<KeyCaller> => {
  if (!format.test(text)) throw new TesseraError('INVALID_API_KEY')
  const hex = hash('sha256', text)
  const memory = memoryOf(runtime.db)
  let key = memory.get(hex)
  if (!key) {
    key = await runtime.read(findApiKeys, hex)
    memory.set(hex, key)
  }
  if (key.kind !== (kind === 'public' ? 'PUBLIC' : 'SECRET'))
    throw new TesseraError('INVALID_API_KEY')
  if (key.revokedAt) throw new TesseraError('API_KEY_REVOKED')
  if (key.application.status !== 'ACTIVE') throw new TesseraError('APPLICATION_NOT_ACTIVE')
  if (key.partner.closedAt) throw new TesseraError('PARTNER_NOT_FOUND')
  const { id, partnerId, environment, applicationId } = key
  const { publicProfiles } = key.application
  return { kind, keyId: id, partnerId, environment, applicationId, publicProfiles }
}

/**
 * Ends a key for ever; the second time changes nothing.
 * @throws TesseraError API_KEY_NOT_FOUND for a key of another partner or environment too
 */
export const revokeApiKey = async (
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { partnerId, environment, id }: Tenant & { id: string },
): Promise<ApiKey> => {
  await db.apiKey.updateMany({
    where: { id, partnerId, environment, revokedAt: null },
    data: { revokedAt: clock() },
  })
  const apiKey = await db.apiKey.findUnique({ where: { id, partnerId, environment } })
  if (!apiKey) throw new TesseraError('API_KEY_NOT_FOUND')
  memoryOf(db).delete(Buffer.from(apiKey.hash).toString('hex'))
  return apiKey
}
