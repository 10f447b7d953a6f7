/** Finds and locks the draws for entries. */
import { TesseraError } from '../kit/errors.ts'
import type { Transaction, Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { isStorable } from '../kit/validation.ts'
import {
  countTickets,
  lockDrawIfOpen,
  lockOpenDraws,
  readAccounts,
  selectEntryDraws,
} from './draw.sql.ts'
import type { LotteryRules } from './lottery.rules.ts'

/** An open draw with its rules. */
export type EntryDraw = {
  id: string
  lotteryId: string
  slug: string
  rules: LotteryRules
  rulesText: string
}

/** A lottery by its slug. `lotteryId` chooses between two with the same slug. */
type Asked = Tenant & { lotterySlug: string; lotteryId?: string | undefined }

const slugKey = ({ partnerId, environment, lotterySlug, lotteryId }: Asked) =>
  JSON.stringify([partnerId, environment, lotterySlug, lotteryId])

/**
 * The open draw of each lottery that closes next, in one statement; or LOTTERY_NOT_FOUND, LOTTERY_NOT_ACTIVE or
 * DRAW_NOT_AVAILABLE. A lottery of the partner comes before one open to every partner.
 */
export const findEntryDraws = async (
  { tx, clock }: Work,
  entries: Asked[],
): Promise<(EntryDraw | Error)[]> => {
  const now = clock()
  const keys = [...new Map(entries.map((entry) => [slugKey(entry), entry])).values()].filter(
    ({ lotterySlug }) => isStorable(lotterySlug),
  )
  const requested = keys.map(({ lotterySlug: slug, ...key }) => ({ ...key, slug }))
  const rows = await selectEntryDraws(tx, requested, now)
  const found = new Map<string, EntryDraw | Error>()
  for (const { n, isActive, status, endsAt, lotteryId, slug, drawId, rules } of rows)
    found.set(
      slugKey(keys[n] as Asked),
      !isActive
        ? new TesseraError('LOTTERY_NOT_ACTIVE', {
            status: endsAt && endsAt <= now ? 'EXPIRED' : status,
            since: endsAt && endsAt <= now ? endsAt : null,
          })
        : drawId === null || rules === null
          ? new TesseraError('DRAW_NOT_AVAILABLE', { status: null, since: null })
          : { id: drawId, lotteryId, slug, rulesText: rules, rules: JSON.parse(rules) },
    )
  return entries.map((entry) => found.get(slugKey(entry)) ?? new TesseraError('LOTTERY_NOT_FOUND'))
}

type Holder = Tenant & { drawId: string; entrant: string }

/** The numbers of a ticket within its draw, its partner and its lottery. */
export type TicketNumbers = { ticketNo: number; entryNo: number; lotteryTicketNo: number }

/** Numbers for new tickets of locked draws. */
type LockedDraws = {
  /** The numbers of the next ticket of a user; null when the user has the maximum. */
  next(tenant: Tenant, draw: EntryDraw, entrant: string): TicketNumbers | null
}

const keyOf = (...parts: string[]) => JSON.stringify(parts)

/**
 * Locks the draws and their lotteries until the transaction ends, so that none closes and nobody else enters. Null when
 * one of them has closed.
 */
export const lockEntryDraws = async (
  { tx, clock }: Transaction,
  holders: Holder[],
): Promise<LockedDraws | null> => {
  const now = clock()
  const ids = [...new Set(holders.map(({ drawId }) => drawId))]
  const draws = await lockOpenDraws(tx, ids, now)
  if (draws.length < ids.length) return null
  const counts = await countTickets(tx, holders)
  const accounts = await readAccounts(
    tx,
    draws.map(({ lotteryId }) => lotteryId),
    [...new Set(holders.map(({ partnerId }) => partnerId))],
  )
  const inDraw = new Map(draws.map(({ id, tickets }) => [id, tickets]))
  const inLottery = new Map(
    draws.map(({ lotteryId, lotteryTickets }) => [lotteryId, lotteryTickets]),
  )
  const ofUser = new Map(
    counts.map((c) => [keyOf(c.partnerId, c.environment, c.drawId, c.entrant), c.tickets]),
  )
  const ofPartner = new Map(
    accounts.map((a) => [keyOf(a.partnerId, a.environment, a.lotteryId), a.entries]),
  )
  const count = (map: Map<string, number>, key: string) => {
    const number = (map.get(key) ?? 0) + 1
    map.set(key, number)
    return number
  }
  return {
    next: ({ partnerId, environment }, { id, lotteryId, rules }, entrant) => {
      const user = keyOf(partnerId, environment, id, entrant)
      if ((ofUser.get(user) ?? 0) >= rules.maxTicketsPerUser) return null
      count(ofUser, user)
      return {
        ticketNo: count(inDraw, id),
        lotteryTicketNo: count(inLottery, lotteryId),
        entryNo: count(ofPartner, keyOf(partnerId, environment, lotteryId)),
      }
    },
  }
}

/** Locks a draw until the transaction ends; false when it is no longer open. */
export const lockOpenDraw = async ({ tx, clock }: Transaction, id: string): Promise<boolean> =>
  (await lockDrawIfOpen(tx, id, clock())).length > 0
