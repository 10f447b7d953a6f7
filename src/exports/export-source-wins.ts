/** Exports of the prizes of an instant win. */

import { ofTenant } from '../kit/database/tenant-client.ts'
import { tenantOf } from '../kit/tenant.ts'
import { findGrantsBySource } from '../programme/grant.ts'
import { filterOf } from './export-filter.ts'
import { pageRows, placeOf, type Source } from './export-page.ts'

/** Each prize with the grant of its reward, if it has one. */
export const winSource: Source = {
  columns: [
    'id',
    'externalId',
    'prize',
    'points',
    'wonAt',
    'redeemedAt',
    'expiresAt',
    'grantId',
    'grantStatus',
    'fulfilledAt',
  ],
  read: async (db, requested, place) => {
    const at = new Date(String(place?.[0]))
    const { campaignId = '' } = filterOf(requested)
    const wins = await ofTenant(db, requested).instantWin.findMany({
      where: {
        campaignId,
        ...(place && {
          wonAt: { gte: at },
          OR: [{ wonAt: { gt: at } }, { id: { gt: String(place[1]) } }],
        }),
      },
      orderBy: [{ wonAt: 'asc' }, { id: 'asc' }],
      take: pageRows,
      include: { user: true, tier: true },
    })
    const given = wins.filter(({ tier }) => tier.rewardId !== null)
    const causes = given.map(({ id }) => ({
      ...tenantOf(requested),
      sourceKind: 'INSTANT_WIN' as const,
      sourceId: id,
    }))
    const grants = causes.length === 0 ? [] : await findGrantsBySource({ tx: db }, causes)
    const grantOf = new Map(given.map(({ id }, n) => [id, grants[n] ?? null]))
    const rows = wins.map((win) => {
      const { id, user, tier, points, wonAt, redeemedAt, expiresAt } = win
      const grant = grantOf.get(id)
      return {
        at: wonAt,
        row: {
          id,
          externalId: user.externalId,
          prize: tier.name,
          points,
          wonAt,
          redeemedAt,
          expiresAt,
          grantId: grant?.id ?? null,
          grantStatus: grant?.status ?? null,
          fulfilledAt: grant?.fulfilledAt ?? null,
        },
      }
    })
    return { rows, place: placeOf(wins, ({ wonAt, id }) => [wonAt.toISOString(), id]) }
  },
}
