/** Rows written without the API, which would refuse them or take days. */
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { bindTo, seal } from '../../src/kit/security/seal.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { secretPurpose } from '../../src/webhooks/endpoint.ts'
import type { World } from '../world.ts'

/** Stores an endpoint as if its address had been accepted; returns its id. */
export const storeEndpoint = async (
  { runtime }: World,
  {
    partnerId,
    environment,
    url,
    ...more
  }: Tenant & { url: string } & Partial<Prisma.WebhookEndpointCreateInput>,
): Promise<string> => {
  const row = { id: uuid(), partnerId, environment }
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await runtime.db.webhookEndpoint.create({
    data: {
      ...row,
      url,
      events: ['*'],
      secret: seal(runtime.keys.master, bindTo(row, secretPurpose), secret),
      ...more,
    },
  })
  return row.id
}

/** Waits until a condition holds; fails after `timeoutMs`. */
export const waitUntil = async (
  what: string,
  holds: () => Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> => {
  const end = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
