/** The sources of exports. Pages are read by key, so that no page reads more rows than it returns. */

import type { DataExport } from '../generated/prisma/client.ts'
import type { ExportKind } from '../generated/prisma/enums.ts'
import { matchOfStored } from '../journeys/stored-filter.ts'
import { selectMatching } from '../journeys/user-batch.sql.ts'
import type { Db } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { tenantOf } from '../kit/tenant.ts'
import type { UserId } from '../kit/user-id.ts'
import { linesOf as linesOfTicket } from '../lotteries/ticket-view.ts'
import { filterOf, isAmong, isWantedEntry, type SavedExportFilter } from './export-filter.ts'
import { afterPlace, type Page, pageRows, placeOf, type Source } from './export-page.ts'
import {
  selectCodesAfter,
  selectEntriesOf,
  selectPlaysOf,
  selectUsersOfRows,
} from './export-source.sql.ts'
import { completionSource, grantSource, offerSource } from './export-source-programme.ts'
import { auditSource, deliverySource, eventSource } from './export-source-records.ts'
import { winSource } from './export-source-wins.ts'

type Reader<R> = (
  tx: Db,
  ranges: { userId: UserId; first: number; last: number }[],
  take: number,
) => Promise<R[]>

/** The rows of one user after a number, as `selectUsersOfRows` returns them. */
const rangeOfUser = async (
  db: Db,
  requested: DataExport,
  of: { userId: string; counter: 'entries' | 'games_played'; after: number },
) => {
  const user = await ofTenant(db, requested).endUser.findFirst({ where: { id: of.userId } })
  if (!user) return []
  const last = of.counter === 'entries' ? user.entries : user.gamesPlayed
  const { externalId } = user
  return [{ userId: user.id as UserId, externalId, after: Math.min(of.after, last), last }]
}

/**
 * Rows of users, in the order of users and of row numbers, which have no gaps. So the rows of a page are known before
 * it is read: all rows of the first users, and as many of the last user as fit. The place is the user and the row
 * number.
 */
const ofUsers =
  <R extends { userId: UserId }>(
    counter: 'entries' | 'games_played',
    read: Reader<R>,
    shown: (row: R, externalId: string, filter: SavedExportFilter) => Page['rows'][number],
  ): Source['read'] =>
  async (db, requested, place) => {
    const { userId } = filterOf(requested)
    const [from, after] = place ? [String(place[0]), Number(place[1])] : ['', 0]
    const users =
      userId === undefined
        ? await selectUsersOfRows(db, tenantOf(requested), counter, { from, after }, pageRows)
        : await rangeOfUser(db, requested, { userId, counter, after })
    let left = pageRows
    const ranges = users.map(({ userId, after, last }) => {
      const end = Math.min(last, after + left)
      left -= end - after
      return { userId, first: after + 1, last: end }
    })
    const found = await read(
      db,
      ranges.filter(({ first, last }) => first <= last),
      pageRows,
    )
    const names = new Map(users.map(({ userId, externalId }) => [userId, externalId]))
    const isEnd = users.length < pageRows && left > 0
    const [user, range] = [users.at(-1), ranges.at(-1)]
    return {
      rows: found.map((row) => shown(row, names.get(row.userId) as string, filterOf(requested))),
      place: isEnd || !user || !range ? null : [user.externalId, range.last],
    }
  }

/** Those of some users who match the filter of an export; null if it has none. */
const wantedAmong = async (
  db: Db,
  { userFilter, createdAt, ...requested }: DataExport,
  ids: string[],
): Promise<Set<string> | null> => {
  if (userFilter === null) return null
  const work = { tx: db, clock: () => createdAt }
  const match = await matchOfStored(work, tenantOf(requested), { ...requested, filter: userFilter })
  return new Set(match ? (await selectMatching(db, ids, match)).map(({ id }) => id) : [])
}

export const exportSources: Record<ExportKind, Source> = {
  LEDGER: {
    columns: [
      'id',
      'externalId',
      'entryNo',
      'eventType',
      'points',
      'balanceAfter',
      'account',
      'reference',
      'sourceId',
      'metadata',
      'createdAt',
    ],
    read: ofUsers('entries', selectEntriesOf, (entry, externalId, filter) => {
      const { id, entryNo, eventType, points, balanceAfter, account, createdAt } = entry
      const { reference, sourceId, metadata } = entry
      return {
        at: createdAt,
        isWanted: isWantedEntry(filter, entry),
        row: {
          id,
          externalId,
          entryNo,
          eventType,
          points,
          balanceAfter,
          account,
          reference,
          sourceId,
          metadata,
          createdAt,
        },
      }
    }),
  },
  USERS: {
    columns: [
      'id',
      'externalId',
      'displayName',
      'email',
      'balance',
      'lifetimePoints',
      'playCount',
      'rewardCount',
      'score',
      'metadata',
      'createdAt',
    ],
    read: async (db, requested, place) => {
      const found = await ofTenant(db, requested).endUser.findMany({
        where: afterPlace('externalId', place),
        orderBy: { externalId: 'asc' },
        take: pageRows,
      })
      const wanted = await wantedAmong(
        db,
        requested,
        found.map(({ id }) => id),
      )
      const rows = found.map((user) => {
        const { id, externalId, displayName, email, balance, lifetimePoints, createdAt } = user
        const { gamesPlayed: playCount, rewardsWon: rewardCount, score, metadata } = user
        return {
          at: createdAt,
          isWanted: wanted?.has(id) ?? true,
          row: {
            id,
            externalId,
            displayName,
            email,
            balance,
            lifetimePoints,
            playCount,
            rewardCount,
            score,
            metadata,
            createdAt,
          },
        }
      })
      return { rows, place: placeOf(found, ({ externalId }) => [externalId]) }
    },
  },
  PLAYS: {
    columns: [
      'id',
      'externalId',
      'playNo',
      'gameType',
      'pointsSpent',
      'rewardTier',
      'rewardType',
      'rewardValue',
      'rewardLabel',
      'outcome',
      'playedAt',
      'gameVersion',
    ],
    read: ofUsers('games_played', selectPlaysOf, (play, externalId, { gameTypes }) => {
      const { id, playNo, gameType, pointsSpent, rewardTier, rewardType, playedAt } = play
      const { rewardValue, rewardLabel, outcome, mechanicVersion: gameVersion } = play
      return {
        at: playedAt,
        isWanted: isAmong(gameTypes, gameType),
        row: {
          id,
          externalId,
          playNo,
          gameType,
          pointsSpent,
          rewardTier: rewardTier.toUpperCase(),
          rewardType: rewardType.toUpperCase(),
          rewardValue,
          rewardLabel,
          outcome,
          playedAt,
          gameVersion,
        },
      }
    }),
  },
  CODES: {
    columns: [
      'id',
      'ending',
      'isRedeemed',
      'externalId',
      'redemptionId',
      'redeemedAt',
      'revokedAt',
    ],
    read: async (db, requested, place) => {
      const { isRedeemed } = filterOf(requested)
      const last = Buffer.from(String(place?.[0] ?? ''), 'hex')
      const found = await selectCodesAfter(db, tenantOf(requested), last, pageRows)
      const rows = found.map(({ hash, batchId, madeAt, ...code }) => ({
        at: code.redeemedAt ?? madeAt,
        isWanted:
          batchId === requested.codeBatchId &&
          (isRedeemed === undefined || isRedeemed === (code.redeemedAt !== null)),
        row: {
          // The text of a code is not stored, only its HMAC.
          id: Buffer.from(hash).toString('hex').slice(0, 32),
          ending: code.ending,
          isRedeemed: code.redeemedAt !== null,
          externalId: code.externalId,
          redemptionId: code.redemptionId,
          redeemedAt: code.redeemedAt,
          revokedAt: code.revokedAt,
        },
      }))
      return { rows, place: placeOf(found, ({ hash }) => [Buffer.from(hash).toString('hex')]) }
    },
  },
  TICKETS: {
    columns: [
      'id',
      'ticketRef',
      'lotteryId',
      'drawId',
      'externalId',
      'email',
      'lines',
      'createdAt',
      'cancelledAt',
    ],
    read: async (db, requested, place) => {
      const [lottery, entryNo] = [String(place?.[0]), Number(place?.[1])]
      const found = await ofTenant(db, requested).lotteryTicket.findMany({
        where: place
          ? {
              lotteryId: { gte: lottery },
              OR: [{ lotteryId: { gt: lottery } }, { entryNo: { gt: entryNo } }],
            }
          : {},
        orderBy: [{ lotteryId: 'asc' }, { entryNo: 'asc' }],
        take: pageRows,
      })
      const rows = found.map((ticket) => {
        const { id, ticketRef, lotteryId, drawId, externalUserId, email } = ticket
        const { createdAt, cancelledAt } = ticket
        return {
          at: createdAt,
          row: {
            id,
            ticketRef,
            lotteryId,
            drawId,
            externalId: externalUserId,
            email,
            lines: linesOfTicket(ticket),
            createdAt,
            cancelledAt,
          },
        }
      })
      return { rows, place: placeOf(found, (last) => [last.lotteryId, last.entryNo]) }
    },
  },
  DELIVERIES: deliverySource,
  EVENTS: eventSource,
  AUDIT_LOG: auditSource,
  COMPLETIONS: completionSource,
  GRANTS: grantSource,
  OFFERS: offerSource,
  INSTANT_WINS: winSource,
}
