/** The draws that entries go to. */
import { TesseraError } from '../core/errors.ts'
import type { Work } from '../core/runtime.ts'
import type { Tenant } from '../core/tenant.ts'
import { isStorable } from '../core/validation.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { LotteryStatus } from '../generated/prisma/enums.ts'
import type { LotteryRules } from './lottery.rules.ts'

/** An open draw, with the rules it opened with. */
export type EntryDraw = {
  id: string
  lotteryId: string
  slug: string
  rules: LotteryRules
  rulesText: string
}

/** A lottery by its slug; `lotteryId` says which, where two have the same. */
type Asked = Tenant & { lotterySlug: string; lotteryId?: string | undefined }

const slugKey = ({ partnerId, environment, lotterySlug, lotteryId }: Asked) =>
  JSON.stringify([partnerId, environment, lotterySlug, lotteryId])

type FoundDraw = {
  n: number
  isActive: boolean
  status: LotteryStatus
  endsAt: Date | null
  lotteryId: string
  slug: string
  drawId: string | null
  rules: string | null
}

/**
 * For each entry the open draw of its lottery that closes next, in one statement; in its place
 * LOTTERY_NOT_FOUND, LOTTERY_NOT_ACTIVE or DRAW_NOT_AVAILABLE. A partner's own lottery comes before one
 * of every partner.
 */
export const findEntryDraws = async (
  { tx, clock }: Work,
  entries: Asked[],
): Promise<(EntryDraw | Error)[]> => {
  const now = clock()
  const keys = [...new Map(entries.map((entry) => [slugKey(entry), entry])).values()]
  const input = keys.flatMap(({ partnerId, environment, lotterySlug: slug, lotteryId }, n) =>
    isStorable(slug) ? { n, partner_id: partnerId, environment, slug, lottery_id: lotteryId } : [],
  )
  const rows = await tx.$queryRaw<FoundDraw[]>`/* find_entry_draws */
    SELECT k.n, l.status, l.ends_at AS "endsAt", l.id AS "lotteryId", l.slug, d.id AS "drawId", d.rules,
      l.status = 'ACTIVE' AND (l.ends_at IS NULL OR l.ends_at > ${now}::timestamptz) AS "isActive"
    FROM json_to_recordset(${JSON.stringify(input)}::json)
      AS k (n int, partner_id uuid, environment "Environment", slug text, lottery_id uuid)
    CROSS JOIN LATERAL (
      SELECT * FROM lottery l
      WHERE l.environment = k.environment AND l.slug = k.slug AND l.status <> 'DRAFT'
        AND (l.partner_id = k.partner_id OR l.partner_id IS NULL)
        AND (k.lottery_id IS NULL OR l.id = k.lottery_id)
      ORDER BY l.partner_id NULLS LAST LIMIT 1
    ) l
    LEFT JOIN LATERAL (
      SELECT id, rules FROM lottery_draw d
      WHERE d.lottery_id = l.id AND d.status = 'OPEN' AND d.closes_at > ${now}::timestamptz
      ORDER BY d.closes_at, d.draw_no LIMIT 1
    ) d ON true`
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

/** Numbers for tickets that are about to be written, while their draws are locked. */
export type LockedDraws = {
  /** Numbers for the next ticket of a user, or null when they hold the maximum. */
  next(
    tenant: Tenant,
    draw: EntryDraw,
    entrant: string,
  ): { ticketNo: number; entryNo: number; lotteryTicketNo: number } | null
}

const keyOf = (...parts: string[]) => JSON.stringify(parts)

/**
 * Locks the draws and their lotteries until the transaction ends: nothing closes, and nobody else
 * enters. Null when one of them has closed.
 */
export const lockEntryDraws = async (
  { tx, clock }: Work,
  holders: Holder[],
): Promise<LockedDraws | null> => {
  const now = clock()
  const ids = [...new Set(holders.map(({ drawId }) => drawId))]
  const draws = await tx.$queryRaw<
    { id: string; lotteryId: string; tickets: number; lotteryTickets: number }[]
  >`/* lock_entry_draws */
    SELECT d.id, l.id AS "lotteryId", d.tickets, l.tickets AS "lotteryTickets"
    FROM lottery l JOIN lottery_draw d ON d.lottery_id = l.id
    WHERE d.id = ANY (${ids}::uuid[]) AND d.status = 'OPEN' AND l.status = 'ACTIVE'
      AND d.closes_at > ${now}::timestamptz
    ORDER BY l.id, d.id FOR NO KEY UPDATE`
  if (draws.length < ids.length) return null
  const input = holders.map(({ partnerId, environment, drawId, entrant }) => ({
    partner_id: partnerId,
    environment,
    draw_id: drawId,
    entrant,
  }))
  const counts = await tx.$queryRaw<(Holder & { tickets: number })[]>`/* count_entrants */
    SELECT e.partner_id AS "partnerId", e.environment, e.draw_id AS "drawId", e.entrant, e.tickets
    FROM (SELECT DISTINCT partner_id, environment, draw_id, entrant
      FROM json_to_recordset(${JSON.stringify(input)}::json)
        AS i (partner_id uuid, environment "Environment", draw_id uuid, entrant text)) i
    CROSS JOIN LATERAL (SELECT * FROM lottery_entrant
      WHERE (partner_id, environment, draw_id, entrant)
        = (i.partner_id, i.environment, i.draw_id, i.entrant) LIMIT 1) e`
  const tenants = [...new Map(holders.map((holder) => [holder.partnerId, holder])).values()]
  const accounts = await tx.$queryRaw<
    (Tenant & { lotteryId: string; entries: number })[]
  >`/* read_accounts */
    SELECT partner_id AS "partnerId", environment, lottery_id AS "lotteryId", entries
    FROM lottery_account WHERE lottery_id = ANY (${draws.map(({ lotteryId }) => lotteryId)}::uuid[])
      AND partner_id = ANY (${tenants.map(({ partnerId }) => partnerId)}::uuid[])`
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

/** Locks one draw that is still open, until the transaction ends; false when it is not open any more. */
export const lockOpenDraw = async ({ tx, clock }: Work, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`/* lock_open_draw */
    SELECT id FROM lottery_draw
    WHERE id = ${id}::uuid AND status = 'OPEN' AND closes_at > ${clock()}::timestamptz
    FOR NO KEY UPDATE`)
  return rows.length > 0
}
