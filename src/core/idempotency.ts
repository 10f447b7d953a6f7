/** `Idempotency-Key`: the answer to a POST is kept for 24 hours and given again. */
import { hash } from 'node:crypto'
import { TesseraError } from './errors.ts'
import type { Runtime, Work } from './runtime.ts'
import { type Tenant, tenantOf } from './tenant.ts'

const dayMs = 24 * 60 * 60 * 1000
/** No request runs longer; a record that is older and has no answer was broken off. */
const longestRequestMs = 60 * 1000

export type StoredAnswer = { status: number; contentType: string; body: string }

export type IdempotentCall = Tenant & { key: string; fingerprint: Uint8Array<ArrayBuffer> }

/** What makes two requests the same: method, path and body. */
export const fingerprintOf = (
  method: string,
  url: string,
  body: unknown,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', `${method} ${url}\n${JSON.stringify(body)}`, 'buffer'))

/**
 * Takes the key for this request, or gives what the first request with it was answered.
 * A request that was broken off (a crash) is never run again: its outcome is unknown.
 * @throws TesseraError IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_REQUEST_IN_PROGRESS, IDEMPOTENT_OUTCOME_UNKNOWN
 */
export const beginIdempotent = async (
  { tx, clock }: Work,
  { key, fingerprint, ...tenant }: IdempotentCall,
): Promise<StoredAnswer | null> => {
  const now = clock()
  const id = { ...tenantOf(tenant), key }
  await tx.idempotentRequest.deleteMany({
    where: { ...id, createdAt: { lte: new Date(now.getTime() - dayMs) } },
  })
  const { count } = await tx.idempotentRequest.createMany({
    data: [{ ...id, fingerprint, createdAt: now }],
    skipDuplicates: true,
  })
  if (count === 1) return null
  const first = await tx.idempotentRequest.findUnique({
    where: { partnerId_environment_key: id },
  })
  if (!first) throw new TesseraError('IDEMPOTENT_REQUEST_IN_PROGRESS')
  if (Buffer.compare(first.fingerprint, fingerprint) !== 0)
    throw new TesseraError('IDEMPOTENCY_KEY_REUSED')
  const { status, contentType, body } = first
  if (status !== null && contentType !== null && body !== null) return { status, contentType, body }
  throw new TesseraError(
    now.getTime() - first.createdAt.getTime() < longestRequestMs
      ? 'IDEMPOTENT_REQUEST_IN_PROGRESS'
      : 'IDEMPOTENT_OUTCOME_UNKNOWN',
  )
}

/** Keeps the answer. */
export const finishIdempotent = async (
  { tx }: Work,
  { key, ...tenant }: IdempotentCall,
  answer: StoredAnswer,
): Promise<void> => {
  await tx.idempotentRequest.updateMany({ where: { ...tenantOf(tenant), key }, data: answer })
}

/** Gives the key back, for a request that was turned away before it was run. */
export const forgetIdempotent = async (
  { tx }: Work,
  { key, ...tenant }: IdempotentCall,
): Promise<void> => {
  await tx.idempotentRequest.deleteMany({ where: { ...tenantOf(tenant), key } })
}

/** Forgets answers older than 24 hours. */
export const purgeIdempotent = async ({
  db,
  clock,
}: Pick<Runtime, 'db' | 'clock'>): Promise<void> => {
  await db.idempotentRequest.deleteMany({
    where: { createdAt: { lte: new Date(clock().getTime() - dayMs) } },
  })
}
