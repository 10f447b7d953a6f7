/** Customers of Tessera, and their applications (decisions §1). */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { inTransaction } from '../core/db/db.ts'
import { sqlState } from '../core/db/outage.ts'
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import { flag, isUuid, oneOf, reference, text, title } from '../core/validation.ts'
import type { Application, Partner } from '../generated/prisma/client.ts'
import { ApplicationStatus, PublicProfiles } from '../generated/prisma/enums.ts'

export const CreatePartner = z
  .object({
    name: title(255).describe('Display name.'),
    slug: text(64)
      .regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'must be lower-case letters and digits, joined by hyphens')
      .describe('Stands in public URLs: lower-case letters and digits, joined by hyphens.'),
  })
  .describe('A partner to make.')

export const SetPartnerClosed = z
  .object({
    partnerId: reference().describe('UUID of the partner.'),
    closed: flag().describe('Whether the account is closed.'),
  })
  .describe('A partner to close or to open again.')

export const CreateApplication = z
  .object({ name: title(255).describe('What it is: a website, an app, a backend.') })
  .describe('An application to make.')

export const SetApplicationStatus = z
  .object({
    applicationId: reference().describe('UUID of the application.'),
    status: oneOf('ApplicationStatus', ApplicationStatus).describe('Whether its keys are good.'),
  })
  .describe('An application to switch on or off.')

export const UpdateApplication = z
  .object({
    applicationId: reference().describe('UUID of the application.'),
    name: title(255).nullish().describe('What it is: a website, an app, a backend.'),
    publicProfiles: oneOf('PublicProfiles', PublicProfiles)
      .nullish()
      .describe('How much of profiles its public keys see in REST.'),
  })
  .describe('What to change of an application. What is left out stays.')

/**
 * Makes a partner with a first application of the same name, so that its members can make keys.
 * @throws TesseraError PARTNER_SLUG_TAKEN
 */
export const createPartner = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { name, slug }: z.output<typeof CreatePartner>,
): Promise<Partner> => {
  const createdAt = clock()
  try {
    return await inTransaction(tx, async (tx) => {
      const partner = await tx.partner.create({ data: { id: uuid(), name, slug, createdAt } })
      const application = { id: uuid(), partnerId: partner.id, name, createdAt }
      await tx.application.create({ data: application })
      return partner
    })
  } catch (error) {
    if ((error as { code?: string }).code === 'P2002' || sqlState(error) === '23505')
      throw new TesseraError('PARTNER_SLUG_TAKEN', { field: 'slug', value: slug })
    throw error
  }
}

/**
 * Closes a partner's account, or opens it again. A closed one keeps its data; its keys and members
 * are refused and its streams end on all nodes within five seconds (decision 0092).
 * @param own the caller's own partner, which cannot be closed
 * @throws TesseraError PARTNER_UNKNOWN, OWN_PARTNER
 */
export const setPartnerClosed = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  own: string,
  { partnerId, closed }: z.output<typeof SetPartnerClosed>,
): Promise<Partner> => {
  const partner = isUuid(partnerId) && (await tx.partner.findUnique({ where: { id: partnerId } }))
  if (!partner) throw new TesseraError('PARTNER_UNKNOWN')
  if (closed && partner.id === own) throw new TesseraError('OWN_PARTNER')
  if (closed === (partner.closedAt !== null)) return partner
  const closedAt = closed ? clock() : null
  return tx.partner.update({ where: { id: partner.id }, data: { closedAt } })
}

/** Makes an application of a partner; its keys are made with `createApiKey`. */
export const createApplication = (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  { partnerId, name }: { partnerId: string; name: string },
): Promise<Application> =>
  tx.application.create({ data: { id: uuid(), partnerId, name, createdAt: clock() } })

const changeApplication = async (
  { tx }: Pick<Work, 'tx'>,
  partnerId: string,
  applicationId: string,
  data: Partial<Pick<Application, 'status' | 'name' | 'publicProfiles'>>,
): Promise<Application> => {
  const where = { id: applicationId, partnerId }
  const application = isUuid(applicationId) && (await tx.application.findFirst({ where }))
  if (!application) throw new TesseraError('APPLICATION_NOT_FOUND')
  return tx.application.update({ where: { id: application.id }, data })
}

/**
 * Switches an application on or off: the keys of one that is INACTIVE are refused on all nodes within
 * five seconds.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
export const setApplicationStatus = (
  work: Pick<Work, 'tx'>,
  partnerId: string,
  { applicationId, status }: z.output<typeof SetApplicationStatus>,
): Promise<Application> => changeApplication(work, partnerId, applicationId, { status })

/**
 * Changes an application; its keys follow on all nodes within five seconds.
 * @throws TesseraError APPLICATION_NOT_FOUND
 */
export const updateApplication = (
  work: Pick<Work, 'tx'>,
  partnerId: string,
  { applicationId, name, publicProfiles }: z.output<typeof UpdateApplication>,
): Promise<Application> =>
  changeApplication(work, partnerId, applicationId, {
    ...(name != null && { name }),
    ...(publicProfiles != null && { publicProfiles }),
  })
