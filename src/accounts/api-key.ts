import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ApiKey } from '../generated/prisma/client.ts'
import { ApiKeyKind } from '../generated/prisma/enums.ts'
import { type Right, rights, rightsOfKind } from '../kit/access/rights.ts'
import { cellPrefix } from '../kit/cell.ts'
import { afterCommit, inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import { randomSecret } from '../kit/random.ts'
import type { Keys, Runtime, Work } from '../kit/runtime.ts'
import { readNetwork } from '../kit/security/network.ts'
import type { Tenant } from '../kit/tenant.ts'
import { integer, moment, oneOf, text } from '../kit/validation.ts'
import { forgetKey } from './key-authentication.ts'

const maxNetworks = 50

const rightNames = Object.fromEntries(Object.keys(rights).map((right) => [right, right])) as {
  [R in Right]: R
}

const networks = () =>
  z
    .array(
      text(64).refine((network) => readNetwork(network), 'must be a network in CIDR notation'),
      'must be a list',
    )
    .max(maxNetworks, `must be at most ${maxNetworks}`)

export const CreateApiKey = z
  .object({
    kind: oneOf('ApiKeyKind', ApiKeyKind).describe('Where the key may be used.'),
    label: text(255).nullish().describe('What the key is for.'),
    applicationId: nodeId('Application')
      .nullish()
      .describe("The application. Defaults to the partner's first."),
    expiresAt: moment().nullish().describe('When it expires. Defaults to never.'),
    allowedNetworks: networks()
      .nullish()
      .describe(
        'IPv4 and IPv6 networks that it may be used from, such as `203.0.113.0/24`. Defaults to all, as does an empty list.',
      ),
    scopes: z
      .array(oneOf('Right', rightNames), 'must be a list')
      .min(1, 'must name at least one right')
      .nullish()
      .describe(
        'The rights that it has. Defaults to all that keys of its kind may have. PUBLIC: READ, PLAY.',
      ),
  })
  .describe('A key to create.')

export const UpdateApiKey = z
  .object({
    apiKeyId: nodeId('ApiKey').describe('The key, by its global id or its UUID.'),
    label: text(255).nullish().describe('What the key is for; null removes it.'),
    allowedNetworks: networks()
      .nullish()
      .describe(
        'IPv4 and IPv6 networks that it may be used from, such as `203.0.113.0/24`. Null or an empty list allows all.',
      ),
  })
  .describe('Changes to a key. Omitted fields are unchanged.')

type NewApiKey = Tenant &
  Pick<z.output<typeof CreateApiKey>, 'kind'> &
  Partial<z.output<typeof CreateApiKey>> & { createdById?: string }

const digest = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'))

/** Networks as they are stored: each once, in their shortest form. */
const networksOf = (texts: string[] | null | undefined) => [
  ...new Set(texts?.map((text) => readNetwork(text) ?? text)),
]

/** A new key: its text, which names its cell, and the stored digest and last four characters. */
const newKeyText = (
  { cell }: Pick<Keys, 'cell'>,
  kind: ApiKeyKind,
  environment: Tenant['environment'],
) => {
  const prefix = kind === 'PUBLIC' ? 'pk' : 'sk'
  const key = `${prefix}_${environment.toLowerCase()}_${cellPrefix(cell)}${randomSecret()}`
  return { key, hash: digest(key), lastFour: key.slice(-4) }
}

/**
 * Creates a key. Only its digest is stored, so only this answer has its text.
 * @throws TesseraError APPLICATION_NOT_FOUND; VALIDATION_FAILED for an `expiresAt` that has passed and for scopes that
 * no key of its kind may have
 */
export const createApiKey = async (
  { tx, clock, keys }: Work,
  {
    partnerId,
    environment,
    kind,
    label,
    expiresAt,
    allowedNetworks,
    scopes,
    createdById,
    ...input
  }: NewApiKey,
): Promise<{ apiKey: ApiKey; key: string }> => {
  const now = clock()
  if (expiresAt && expiresAt <= now) throw refused('expiresAt', 'must be in the future')
  const excess = scopes?.filter((right) => !rightsOfKind[kind].includes(right)) ?? []
  if (excess.length > 0)
    throw refused('scopes', `must be rights of a ${kind} key, not ${excess.join(', ')}`)
  const applicationId = await findApplicationId({ tx }, partnerId, input.applicationId)
  const { key, ...stored } = newKeyText(keys, kind, environment)
  const apiKey = await ofTenant(tx, { partnerId, environment }).apiKey.create({
    data: {
      id: uuid(),
      applicationId,
      kind,
      label: label ?? null,
      ...stored,
      createdById: createdById ?? null,
      expiresAt: expiresAt ?? null,
      allowedNetworks: networksOf(allowedNetworks),
      scopes: [...new Set(scopes)],
      createdAt: now,
    },
  })
  return { apiKey, key }
}

/**
 * The named application of a partner, or its first one.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
const findApplicationId = async (
  { tx }: Pick<Work, 'tx'>,
  partnerId: string,
  id: string | null | undefined,
): Promise<string> => {
  const application = await tx.application.findFirst({
    where: { partnerId, ...(id && { id }) },
    orderBy: { id: 'asc' },
  })
  if (!application) throw new TesseraError('APPLICATION_NOT_FOUND')
  return application.id
}

/**
 * Changes what a key is for and where it may be used from. Other nodes follow within five seconds.
 * @throws TesseraError API_KEY_NOT_FOUND for a key of another partner or environment too
 */
export const updateApiKey = async (
  runtime: Pick<Runtime, 'db' | 'singletons'>,
  tenant: Tenant,
  { apiKeyId: id, label, allowedNetworks }: z.output<typeof UpdateApiKey>,
): Promise<ApiKey> => {
  const { db } = runtime
  const [apiKey] = await ofTenant(db, tenant).apiKey.updateManyAndReturn({
    where: { id },
    data: {
      ...(label !== undefined && { label }),
      ...(allowedNetworks !== undefined && { allowedNetworks: networksOf(allowedNetworks) }),
    },
  })
  if (!apiKey) throw new TesseraError('API_KEY_NOT_FOUND')
  afterCommit(db, () => forgetKey(runtime, apiKey))
  return apiKey
}

/**
 * Revokes a key permanently. Revoking it again changes nothing.
 * @throws TesseraError API_KEY_NOT_FOUND for a key of another partner or environment too
 */
export const revokeApiKey = async (
  runtime: Pick<Runtime, 'db' | 'clock' | 'singletons'>,
  { id, ...tenant }: Tenant & { id: string },
): Promise<ApiKey> => {
  const { db, clock } = runtime
  const own = ofTenant(db, tenant).apiKey
  await own.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: clock() },
  })
  const apiKey = await own.findUnique({ where: { id } })
  if (!apiKey) throw new TesseraError('API_KEY_NOT_FOUND')
  afterCommit(db, () => forgetKey(runtime, apiKey))
  return apiKey
}

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
  { apiKeyId: id, graceSeconds, expiresAt, createdById, ...tenant }: Rotation,
): Promise<{ apiKey: ApiKey; key: string; replacedKey: ApiKey }> => {
  const now = runtime.clock()
  if (expiresAt && expiresAt <= now) throw refused('expiresAt', 'must be in the future')
  return inTransaction(runtime, async ({ tx }) => {
    const own = ofTenant(tx, tenant).apiKey
    const known = await own.findUnique({ where: { id } })
    if (!known) throw new TesseraError('API_KEY_NOT_FOUND')
    const refusal = refusalOf(known, now)
    if (refusal) throw refusal
    const { key, ...stored } = newKeyText(runtime.keys, known.kind, tenant.environment)
    const { revokedAt: _, replacedById: __, lastUsedAt: ___, ...settings } = known
    const apiKey = await own.create({
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
    const { count } = await own.updateMany({
      where: { id, replacedById: null, revokedAt: null },
      data: {
        replacedById: apiKey.id,
        expiresAt: known.expiresAt && known.expiresAt < endsAt ? known.expiresAt : endsAt,
      },
    })
    if (count === 0)
      throw new TesseraError('API_KEY_NOT_ACTIVE', { status: 'REPLACED', since: null })
    const replacedKey = await own.findUniqueOrThrow({ where: { id } })
    afterCommit(tx, () => forgetKey(runtime, replacedKey))
    return { apiKey, key, replacedKey }
  })
}
