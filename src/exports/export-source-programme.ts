/** Exports of completions of goals, of grants, and of offers. */

import { ofTenant } from '../kit/database/tenant-client.ts'
import { filterOf, isAmong } from './export-filter.ts'
import { afterPlace, pageRows, placeOf, type Source } from './export-page.ts'

export const completionSource: Source = {
  columns: [
    'id',
    'externalId',
    'goalId',
    'goalSlug',
    'windowStart',
    'number',
    'round',
    'completedAt',
    'revokedAt',
  ],
  read: async (db, requested, place) => {
    const { userId, goalIds, isRevoked } = filterOf(requested)
    const found = await ofTenant(db, requested).goalCompletion.findMany({
      where: afterPlace('id', place),
      orderBy: { id: 'asc' },
      take: pageRows,
      include: { user: true, goal: true },
    })
    const rows = found.map(({ id, user, goal, windowStart, k, round, completedAt, revokedAt }) => ({
      at: completedAt,
      isWanted:
        (userId === undefined || userId === user.id) &&
        isAmong(goalIds, goal.id) &&
        (isRevoked === undefined || isRevoked === (revokedAt !== null)),
      row: {
        id,
        externalId: user.externalId,
        goalId: goal.id,
        goalSlug: goal.slug,
        windowStart: windowStart.toISOString().slice(0, 10),
        number: k,
        round,
        completedAt,
        revokedAt,
      },
    }))
    return { rows, place: placeOf(found, ({ id }) => [id]) }
  },
}

export const grantSource: Source = {
  columns: [
    'id',
    'externalId',
    'rewardId',
    'rewardName',
    'rewardKind',
    'points',
    'status',
    'failure',
    'source',
    'goalId',
    'completionId',
    'reference',
    'note',
    'needsClaim',
    'heldUntil',
    'readyAt',
    'claimedAt',
    'claimExpiresAt',
    'issuedAt',
    'expiredAt',
    'revokedAt',
    'shortfall',
    'createdAt',
  ],
  read: async (db, requested, place) => {
    const { userId, goalIds, grantStatuses, rewardIds, rewardKinds } = filterOf(requested)
    const found = await ofTenant(db, requested).rewardGrant.findMany({
      where: afterPlace('id', place),
      orderBy: { id: 'asc' },
      take: pageRows,
      include: { user: true, reward: true },
    })
    const rows = found.map((grant) => {
      const { user, reward, sourceKind, sourceId } = grant
      return {
        at: grant.createdAt,
        isWanted:
          (userId === undefined || userId === user.id) &&
          isAmong(goalIds, grant.goalId) &&
          isAmong(grantStatuses, grant.status) &&
          isAmong(rewardIds, reward.id) &&
          isAmong(rewardKinds, reward.kind),
        row: {
          id: grant.id,
          externalId: user.externalId,
          rewardId: reward.id,
          rewardName: reward.name,
          rewardKind: reward.kind,
          points: grant.points,
          status: grant.status,
          failure: grant.failure,
          source: sourceKind,
          goalId: grant.goalId,
          completionId: sourceKind === 'GOAL' ? sourceId : null,
          reference: grant.reference,
          note: grant.note,
          needsClaim: grant.needsClaim,
          heldUntil: grant.heldUntil,
          readyAt: grant.readyAt,
          claimedAt: grant.claimedAt,
          claimExpiresAt: grant.claimExpiresAt,
          issuedAt: grant.issuedAt,
          expiredAt: grant.expiredAt,
          revokedAt: grant.revokedAt,
          shortfall: grant.shortfall,
          createdAt: grant.createdAt,
        },
      }
    })
    return { rows, place: placeOf(found, ({ id }) => [id]) }
  },
}

export const offerSource: Source = {
  columns: [
    'id',
    'externalId',
    'offerType',
    'gameType',
    'title',
    'points',
    'creditsPoints',
    'rewardId',
    'ruleId',
    'batchId',
    'status',
    'createdAt',
    'expiresAt',
    'claimedAt',
    'cancelledAt',
  ],
  read: async (db, requested, place) => {
    const found = await ofTenant(db, requested).offer.findMany({
      where: afterPlace('id', place),
      orderBy: { id: 'asc' },
      take: pageRows,
      include: { profile: { include: { user: true } } },
    })
    const rows = found.map(({ profile, ...offer }) => ({
      at: offer.createdAt,
      row: {
        id: offer.id,
        externalId: profile.user.externalId,
        offerType: offer.offerType.toUpperCase(),
        gameType: offer.gameType,
        title: offer.title,
        points: offer.pointsValue,
        creditsPoints: offer.creditsPoints,
        rewardId: offer.rewardId,
        ruleId: offer.ruleId,
        batchId: offer.batchId,
        status: offer.status.toUpperCase(),
        createdAt: offer.createdAt,
        expiresAt: offer.expiresAt,
        claimedAt: offer.claimedAt,
        cancelledAt: offer.cancelledAt,
      },
    }))
    return { rows, place: placeOf(found, ({ id }) => [id]) }
  },
}
