/** Replaces a key with a new one. The old one works for a grace period. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ApiKey } from '../generated/prisma/client.ts'
import { afterCommit, inTransaction } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { integer, moment } from '../kit/validation.ts'
import { newKeyText } from './api-key.ts'
import { forgetKey } from './key-authentication.ts'

const daySeconds = 86_400
const longestGraceDays = 30

export const RotateApiKey = z
  .object({
    apiKeyId: nodeId('ApiKey').describe('The key to replace.'),
    graceSeconds: integer(0, longestGraceDays * daySeconds)
      .nullish()
      .describe('How long the old key still works; up to 30 days. Defaults to one day.'),
    expiresAt: moment()
      .nullish()
      .describe('When the new key expires. Defaults to when the old one would have.'),
  })
  .describe('A key to replace.')

type Rotation = Tenant & z.output<typeof RotateApiKey> & { createdById: string }

/** Why a key cannot be rotated, or null. */
const refusalOf = ({ revokedAt, expiresAt, replacedById }: ApiKey, now: Date) => {
  const refuse = (status: string, since: Date | null) =>
    new TesseraError('API_KEY_NOT_ACTIVE', { status, since })
  if (revokedAt) return refuse('REVOKED', revokedAt)
  if (replacedById) return refuse('REPLACED', null)
  return expiresAt && expiresAt <= now ? refuse('EXPIRED', expiresAt) : null
}

/**
 * Creates a key with the settings of another one. The old key expires after the grace period, or earlier if it would
 * have anyway. A key can be replaced only once.
 * @throws TesseraError API_KEY_NOT_FOUND, API_KEY_NOT_ACTIVE; VALIDATION_FAILED for an `expiresAt` that has passed
 */
export const rotateApiKey = async (
  runtime: Pick<Runtime, 'tx' | 'clock' | 'keys' | 'singletons'>,
  { partnerId, environment, apiKeyId: id, graceSeconds, expiresAt, createdById }: Rotation,
): Promise<{ apiKey: ApiKey; key: string; replacedKey: ApiKey }> => {
  const now = runtime.clock()
  if (expiresAt && expiresAt <= now) throw refused('expiresAt', 'must be in the future')
  return inTransaction(runtime, async ({ tx }) => {
    const known = await tx.apiKey.findUnique({ where: { id, partnerId, environment } })
    if (!known) throw new TesseraError('API_KEY_NOT_FOUND')
    const refusal = refusalOf(known, now)
    if (refusal) throw refusal
    const { key, ...stored } = newKeyText(runtime.keys, known.kind, environment)
    const { revokedAt: _, replacedById: __, lastUsedAt: ___, ...settings } = known
    const apiKey = await tx.apiKey.create({
      data: {
        ...settings,
        ...stored,
        id: uuid(),
        createdAt: now,
        createdById,
        expiresAt: expiresAt ?? known.expiresAt,
      },
    })
    const endsAt = new Date(now.getTime() + (graceSeconds ?? daySeconds) * 1000)
    const { count } = await tx.apiKey.updateMany({
      where: { id, replacedById: null, revokedAt: null },
      data: {
        replacedById: apiKey.id,
        expiresAt: known.expiresAt && known.expiresAt < endsAt ? known.expiresAt : endsAt,
      },
    })
    if (count === 0)
      throw new TesseraError('API_KEY_NOT_ACTIVE', { status: 'REPLACED', since: null })
    const replacedKey = await tx.apiKey.findUniqueOrThrow({ where: { id } })
    afterCommit(tx, () => forgetKey(runtime, replacedKey))
    return { apiKey, key, replacedKey }
  })
}
