/** Customers of Tessera, and their applications. */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { type Application, type Partner, Prisma } from '../generated/prisma/client.ts'
import { type ApplicationStatus, PublicProfiles, UserTokens } from '../generated/prisma/enums.ts'
import { inTransaction, type Queries } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { oneOf, text, title, urlOf } from '../kit/validation.ts'
import { PublicKeys, publicKeysOf } from './user-token-signer.ts'

export const PartnerBy = oneKey({
  id: nodeId('Partner').describe('The global id or the UUID.'),
  slug: text(64).describe('The slug.'),
})
  .meta({ graphql: 'PartnerBy' })
  .describe('Exactly one key of a partner.')

export const CreatePartner = z
  .object({
    name: title(255).describe('Name shown to its members and on its public pages.'),
    slug: text(64)
      .regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'must be lower-case letters and digits, joined by hyphens')
      .describe('Used in public URLs: lower-case letters and digits, joined by hyphens.'),
  })
  .describe('A partner to create.')

export const UpdatePartner = z
  .object({
    partner: PartnerBy.describe('The partner, by id or slug.'),
    name: title(255).nullish().describe('Name shown to its members and on its public pages.'),
  })
  .describe('Changes to a partner. Omitted fields are unchanged. The slug stays.')

const UserTokenSigner = oneKey({
  jwksUrl: urlOf(/^https?$/, 'must be an https URL').describe(
    'Where the keys are published, as a JWKS: a public https address.',
  ),
  jwks: PublicKeys().describe(
    'The public keys themselves, as a JWKS: RSA of 2048 bits at least, P-256, P-384, P-521 or Ed25519.',
  ),
})
  .meta({ graphql: 'UserTokenSignerInput' })
  .describe('The keys that sign user tokens, or where they are published.')

export const CreateApplication = z
  .object({ name: title(255).describe('What it is: a website, an app, a backend.') })
  .describe('An application to create.')

export const UpdateApplication = z
  .object({
    applicationId: nodeId('Application').describe('The application, by its global id or its UUID.'),
    name: title(255).nullish().describe('What it is: a website, an app, a backend.'),
    publicProfileVisibility: oneOf('PublicProfileVisibility', PublicProfiles)
      .nullish()
      .describe('How much of profiles its public keys see in REST.'),
    userTokenPolicy: oneOf('UserTokenPolicy', UserTokens)
      .nullish()
      .describe('With REQUIRED, its public keys name a user only with a token of that user.'),
    userTokenSigner: UserTokenSigner.nullish().describe(
      'The keys that sign your own user tokens. Replaces those that it has; null removes them.',
    ),
  })
  .describe('Changes to an application. Omitted fields are unchanged.')

/**
 * Creates a partner with a first application of the same name, so that its members can create keys.
 * @throws TesseraError PARTNER_SLUG_TAKEN
 */
export const createPartner = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { name, slug }: z.output<typeof CreatePartner>,
): Promise<Partner> => {
  const createdAt = clock()
  return inTransaction({ tx }, async ({ tx }) => {
    const partner = await tx.partner.create({ data: { id: uuid(), name, slug, createdAt } })
    const application = { id: uuid(), partnerId: partner.id, name, createdAt }
    await tx.application.create({ data: application })
    return partner
  }).catch(refuseDuplicateKey('PARTNER_SLUG_TAKEN', 'slug', slug))
}

type PartnerChange = {
  partnerId: string
  name?: string | null | undefined
  /** A name that `checkTimeZone` has accepted. */
  timeZone?: string | null | undefined
}

/**
 * Changes the display name of a partner, or its time zone.
 * @throws TesseraError PARTNER_UNKNOWN
 */
export const updatePartner = async (
  { tx }: Pick<Work, 'tx'>,
  { partnerId: id, name, timeZone }: PartnerChange,
): Promise<Partner> => {
  const [partner] = await tx.partner.updateManyAndReturn({
    where: { id },
    data: { ...(name != null && { name }), ...(timeZone != null && { timeZone }) },
  })
  if (!partner) throw new TesseraError('PARTNER_UNKNOWN')
  return partner
}

const setClosedAt = async (
  tx: Queries,
  partnerId: string,
  closedAt: Date | null,
): Promise<Partner> => {
  const partner = await tx.partner.findUnique({ where: { id: partnerId } })
  if (!partner) throw new TesseraError('PARTNER_UNKNOWN')
  // Idempotent: repeating it keeps the first time.
  if ((closedAt === null) === (partner.closedAt === null)) return partner
  return tx.partner.update({ where: { id: partnerId }, data: { closedAt } })
}

/**
 * Closes the account of a partner. Its data is kept. On all nodes, its keys and members are refused and its streams
 * end within five seconds (docs/decisions/permissions-are-one-table.md).
 * @param own the caller's own partner, which cannot be closed
 * @throws TesseraError PARTNER_UNKNOWN, OWN_PARTNER
 */
export const closePartner = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  own: string,
  partnerId: string,
): Promise<Partner> => {
  if (partnerId === own) throw new TesseraError('OWN_PARTNER')
  return setClosedAt(tx, partnerId, clock())
}

/**
 * Reopens a closed account.
 * @throws TesseraError PARTNER_UNKNOWN
 */
export const reopenPartner = ({ tx }: Pick<Work, 'tx'>, partnerId: string): Promise<Partner> =>
  setClosedAt(tx, partnerId, null)

/** Reads partners by id. They must exist. */
export const findPartners = async ({ tx }: Work, ids: string[]): Promise<Partner[]> => {
  const partners = await tx.partner.findMany({ where: { id: { in: [...new Set(ids)] } } })
  return inOrder(ids, partners) as Partner[]
}

/** The partner with this key, or null. For operators: it may be of anybody. */
export const findPartnerBy = (
  { db }: Pick<Runtime, 'db'>,
  { id, slug }: z.output<typeof PartnerBy>,
): Promise<Partner | null> => db.partner.findFirst({ where: id === undefined ? { slug } : { id } })

/**
 * The id of the partner with this key. It reads nothing when the caller names the id.
 * @throws TesseraError PARTNER_UNKNOWN
 */
export const partnerIdOf = async (
  runtime: Pick<Runtime, 'db'>,
  by: z.output<typeof PartnerBy>,
): Promise<string> => {
  const id = by.id ?? (await findPartnerBy(runtime, by))?.id
  if (id === undefined) throw new TesseraError('PARTNER_UNKNOWN')
  return id
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** The id of the partner of a filter: that of nobody for an unknown slug, undefined without a filter. */
export const wantedPartnerId = async (
  runtime: Pick<Runtime, 'db'>,
  by: z.output<typeof PartnerBy> | null | undefined,
): Promise<string | undefined> =>
  by ? (by.id ?? (await findPartnerBy(runtime, by))?.id ?? nobody) : undefined

/** Reads applications by id. They must exist. */
export const findApplications = async ({ tx }: Work, ids: string[]): Promise<Application[]> => {
  const applications = await tx.application.findMany({ where: { id: { in: ids } } })
  return inOrder(ids, applications) as Application[]
}

/** Creates an application of a partner. `createApiKey` creates its keys. */
export const createApplication = (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { partnerId, name }: { partnerId: string; name: string },
): Promise<Application> =>
  tx.application.create({ data: { id: uuid(), partnerId, name, createdAt: clock() } })

const signerOf = ({ userTokenSigner: signer }: z.output<typeof UpdateApplication>) =>
  signer !== undefined && {
    userTokenJwksUrl: signer?.jwksUrl ?? null,
    userTokenKeys: signer?.jwks ? publicKeysOf(signer.jwks) : Prisma.DbNull,
  }

/**
 * Changes an application. All nodes follow within five seconds.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
export const updateApplication = async (
  { tx }: Pick<Work, 'tx'>,
  partnerId: string,
  input: z.output<typeof UpdateApplication>,
): Promise<Application> => {
  const { applicationId, name, publicProfileVisibility, userTokenPolicy } = input
  const [application] = await tx.application.updateManyAndReturn({
    where: { id: applicationId, partnerId },
    data: {
      ...(name != null && { name }),
      ...(publicProfileVisibility != null && { publicProfiles: publicProfileVisibility }),
      ...(userTokenPolicy != null && { userTokens: userTokenPolicy }),
      ...signerOf(input),
      // So that there is always something to write: the database counts each save.
      version: { increment: 0 },
    },
  })
  if (!application) throw new TesseraError('APPLICATION_NOT_FOUND')
  return application
}

/**
 * Activates an application, or deactivates it: on all nodes, its keys are refused within five seconds.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
export const setApplicationStatus = async (
  { tx }: Pick<Work, 'tx'>,
  {
    applicationId: id,
    ...change
  }: {
    partnerId: string
    applicationId: string
    status: ApplicationStatus
  },
): Promise<Application> => {
  const { partnerId, status } = change
  const [application] = await tx.application.updateManyAndReturn({
    where: { id, partnerId },
    data: { status },
  })
  if (!application) throw new TesseraError('APPLICATION_NOT_FOUND')
  return application
}
