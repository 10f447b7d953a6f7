/** `Idempotency-Key`: the answer to a POST is stored for 24 hours and returned again. */
import { ofTenant } from '../database/tenant-client.ts'
import { TesseraError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { bindTo, macOf, type SealedColumn, seal, unseal } from '../security/seal.ts'
import { type Tenant, tenantOf } from '../tenant.ts'

const dayMs = 24 * 60 * 60 * 1000
/** No request runs longer. An older record without an answer belongs to an interrupted request. */
const longestRequestMs = 60 * 1000

export type StoredAnswer = { status: number; contentType: string; body: string }

type Store = Pick<Runtime, 'tx' | 'clock' | 'keys'>

const purpose = 'idempotent-answer'

export const sealedAnswerColumns: SealedColumn[] = [
  {
    table: 'idempotent_request',
    column: 'body',
    key: { partner_id: 'uuid', environment: '"Environment"', key: 'text' },
    purpose,
    base64: true,
  },
]

const bindingOf = ({ key, ...tenant }: Tenant & { key: string }) =>
  bindTo({ ...tenant, id: key }, purpose)

export type IdempotentCall = Tenant & {
  /** Derived from the owner and the text of the key, so that keys of different owners never collide. */
  key: string
  fingerprint: Uint8Array<ArrayBuffer>
}

const textOf = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    // No operation accepts a body that is too deeply nested to serialize.
    throw new TesseraError('BAD_REQUEST', { cause })
  }
}

/**
 * A request with an `Idempotency-Key`. Requests are equal if method, path and body are. The hash is keyed,
 * because a body may contain a password.
 * @param owner of the key: nobody else gets its answers
 * @throws TesseraError BAD_REQUEST
 */
export const idempotentCall = (
  { keys }: Pick<Runtime, 'keys'>,
  { partnerId, environment }: Tenant,
  request: { owner: string; key: string; method: string; url: string; body: unknown },
): IdempotentCall => {
  const { owner, key, method, url, body } = request
  const mac = (text: string) => macOf(keys.pepper, 'idempotent-request', text)
  return {
    partnerId,
    environment,
    key: mac(`${owner}\n${key}`).toString('base64url'),
    fingerprint: new Uint8Array(mac(`${method} ${url}\n${textOf(body)}`)),
  }
}

/**
 * Claims the key for this request, or returns the answer to the first request with it.
 * An interrupted request (a crash) is never run again, because its outcome is unknown.
 * @throws TesseraError IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_REQUEST_IN_PROGRESS, IDEMPOTENT_ANSWER_NOT_KEPT,
 * IDEMPOTENT_OUTCOME_UNKNOWN
 */
export const beginIdempotent = async (
  { tx, clock, keys }: Store,
  { key, fingerprint, ...tenant }: IdempotentCall,
): Promise<StoredAnswer | null> => {
  const now = clock()
  const id = { ...tenantOf(tenant), key }
  const { idempotentRequest } = ofTenant(tx, tenant)
  await idempotentRequest.deleteMany({
    where: { key, createdAt: { lte: new Date(now.getTime() - dayMs) } },
  })
  const { count } = await idempotentRequest.createMany({
    data: [{ key, fingerprint, createdAt: now }],
    skipDuplicates: true,
  })
  if (count === 1) return null
  const first = await idempotentRequest.findFirst({ where: { key } })
  if (!first) throw new TesseraError('IDEMPOTENT_REQUEST_IN_PROGRESS')
  if (Buffer.compare(first.fingerprint, fingerprint) !== 0)
    throw new TesseraError('IDEMPOTENCY_KEY_REUSED')
  const { status, contentType, body } = first
  // A caller who retries after a 503 expects another answer. A 503 is stored only if the outcome was unknown.
  if (status === 503) throw new TesseraError('IDEMPOTENT_OUTCOME_UNKNOWN')
  if (status !== null && contentType !== null) {
    if (body === null) throw new TesseraError('IDEMPOTENT_ANSWER_NOT_KEPT')
    const sealed = Buffer.from(body, 'base64')
    return { status, contentType, body: unseal(keys.master, bindingOf(id), sealed) }
  }
  throw new TesseraError(
    now.getTime() - first.createdAt.getTime() < longestRequestMs
      ? 'IDEMPOTENT_REQUEST_IN_PROGRESS'
      : 'IDEMPOTENT_OUTCOME_UNKNOWN',
  )
}

/** Stores the answer. A null body records only that there was one. */
export const finishIdempotent = async (
  { tx, keys }: Store,
  { key, ...tenant }: IdempotentCall,
  { body, ...answer }: Omit<StoredAnswer, 'body'> & { body: string | null },
): Promise<void> => {
  const id = { ...tenantOf(tenant), key }
  const sealed = body === null ? null : Buffer.from(seal(keys.master, bindingOf(id), body))
  await ofTenant(tx, tenant).idempotentRequest.updateMany({
    where: { key },
    data: { ...answer, body: sealed?.toString('base64') ?? null },
  })
}

/** Releases the key of a request that was refused before it ran. */
export const forgetIdempotent = async (
  { tx }: Store,
  { key, ...tenant }: IdempotentCall,
): Promise<void> => {
  await ofTenant(tx, tenant).idempotentRequest.deleteMany({ where: { key } })
}
