import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ApiKey } from '../generated/prisma/client.ts'
import { ApiKeyKind } from '../generated/prisma/enums.ts'
import { type Right, rights, rightsOfKind } from '../kit/access/rights.ts'
import { cellPrefix } from '../kit/cell.ts'
import { afterCommit } from '../kit/database/db.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import { randomSecret } from '../kit/random.ts'
import type { Keys, Runtime, Work } from '../kit/runtime.ts'
import { readNetwork } from '../kit/security/network.ts'
import type { Tenant } from '../kit/tenant.ts'
import { moment, oneOf, text } from '../kit/validation.ts'
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
    apiKeyId: nodeId('ApiKey').describe('The key.'),
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
export const newKeyText = (
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
  const apiKey = await tx.apiKey.create({
    data: {
      id: uuid(),
      partnerId,
      environment,
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
  { partnerId, environment }: Tenant,
  { apiKeyId: id, label, allowedNetworks }: z.output<typeof UpdateApiKey>,
): Promise<ApiKey> => {
  const { db } = runtime
  const [apiKey] = await db.apiKey.updateManyAndReturn({
    where: { id, partnerId, environment },
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
  { partnerId, environment, id }: Tenant & { id: string },
): Promise<ApiKey> => {
  const { db, clock } = runtime
  await db.apiKey.updateMany({
    where: { id, partnerId, environment, revokedAt: null },
    data: { revokedAt: clock() },
  })
  const apiKey = await db.apiKey.findUnique({ where: { id, partnerId, environment } })
  if (!apiKey) throw new TesseraError('API_KEY_NOT_FOUND')
  afterCommit(db, () => forgetKey(runtime, apiKey))
  return apiKey
}
