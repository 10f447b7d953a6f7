import { inOrder } from '../core/in-order.ts'
import type { Work } from '../core/runtime.ts'
import type { Partner } from '../generated/prisma/client.ts'

/** Reads partners by their ids, in one statement; null for unknown ids. */
export const findPartners = async ({ tx }: Work, ids: string[]): Promise<(Partner | null)[]> =>
  inOrder(ids, await tx.partner.findMany({ where: { id: { in: [...new Set(ids)] } } }))
