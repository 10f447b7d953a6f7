/** Statements on draws. Those that advance a draw require the status that it starts from, so they are idempotent. */
import { Prisma } from '../generated/prisma/client.ts'
import {
  columnsOf,
  type ItemsOf,
  inputRows,
  lockStatement,
  returns,
  returnsModel,
  returnsNothing,
  statement,
} from '../kit/database/statement.ts'

/** Locks a lottery. New tickets can still refer to it. */
export const lockLotteryRow = lockStatement(
  'lock_lottery',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`
    SELECT id FROM lottery WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/** Lotteries that are over, have a draw to open or to cancel, or have no draw that closes after `ahead`. */
export const findDueLotteries = statement(
  'find_due_lotteries',
  returns({ id: 'uuid' }),
  (now: Date, ahead: Date) => Prisma.sql`
    SELECT l.id FROM lottery l
    WHERE l.status = 'ACTIVE' AND (
      l.ends_at <= ${now}::timestamptz
      OR EXISTS (SELECT FROM lottery_draw d WHERE d.lottery_id = l.id AND d.status = 'SCHEDULED'
        AND (d.opens_at <= ${now}::timestamptz OR d.closes_at <= ${now}::timestamptz))
      OR (l.frequency <> 'CUSTOM' AND NOT EXISTS (SELECT FROM lottery_draw d
        WHERE d.lottery_id = l.id AND d.status IN ('SCHEDULED', 'OPEN')
        AND d.closes_at > ${ahead}::timestamptz)))`,
)

/** The last draw of each of these lotteries whose numbers are drawn, by the index on their numbers. */
export const findLastDrawIds = statement(
  'find_last_draws',
  returns({ id: 'uuid' }),
  (lotteryIds: string[]) => Prisma.sql`
    SELECT d.id FROM unnest(${lotteryIds}::uuid[]) AS l (id) CROSS JOIN LATERAL (
      SELECT id FROM lottery_draw WHERE lottery_id = l.id AND drawn_at IS NOT NULL
      ORDER BY draw_no DESC LIMIT 1) d`,
)

/** Locks a draw that is still open; returns nothing when it is not. */
export const lockDrawIfOpen = lockStatement(
  'lock_open_draw',
  returns({ id: 'uuid' }),
  (id: string, now: Date) => Prisma.sql`
    SELECT id FROM lottery_draw
    WHERE id = ${id}::uuid AND status = 'OPEN' AND closes_at > ${now}::timestamptz
    FOR NO KEY UPDATE`,
)

/** Locks a draw in any state. */
export const lockDraw = lockStatement(
  'lock_draw',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`
    SELECT id FROM lottery_draw WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

/**
 * Closes an open draw that is due. `early` closes it now and makes it due, so that a job draws it even after a crash.
 */
export const markDrawClosed = statement(
  'close_draw',
  returnsNothing,
  (id: string, now: Date, early: boolean) => Prisma.sql`
    UPDATE lottery_draw SET status = 'CLOSED', closed_at = ${now}::timestamptz,
      closes_at = CASE WHEN ${early}::boolean
        THEN least(closes_at, greatest(${now}::timestamptz, opens_at + interval '1 ms'))
        ELSE closes_at END,
      draws_at = CASE WHEN ${early}::boolean
        THEN least(closes_at, greatest(${now}::timestamptz, opens_at + interval '1 ms'))
        ELSE draws_at END
    WHERE id = ${id}::uuid AND status = 'OPEN'
      AND (${early}::boolean OR closes_at <= ${now}::timestamptz)`,
)

export const markDrawCancelled = statement(
  'cancel_draw',
  returnsNothing,
  (id: string) => Prisma.sql`
    UPDATE lottery_draw SET status = 'CANCELLED'
    WHERE id = ${id}::uuid AND status IN ('SCHEDULED', 'OPEN')`,
)

export const writeRoot = statement(
  'publish_root',
  returnsNothing,
  (id: string, root: Uint8Array) => Prisma.sql`
    UPDATE lottery_draw SET root = ${root}
    WHERE id = ${id}::uuid AND status = 'CLOSED' AND root IS NULL`,
)

type Drawn = { seed: Uint8Array; main: number[]; bonus: number[] }

/** Writes the seed and the numbers of a draw whose root is published. */
export const writeNumbers = statement(
  'reveal_seed',
  returnsNothing,
  (id: string, { seed, main, bonus }: Drawn, now: Date) => Prisma.sql`
    UPDATE lottery_draw SET status = 'DRAWING', seed = ${seed}, main = ${main}::int[],
      bonus = ${bonus}::int[], drawn_at = ${now}::timestamptz
    WHERE id = ${id}::uuid AND status = 'CLOSED' AND root IS NOT NULL`,
)

/** Writes the progress of settling a draw, unless another node has progressed further. */
export const writeSettled = statement(
  'note_settled',
  returnsNothing,
  (id: string, from: number, to: number) => Prisma.sql`
    UPDATE lottery_draw SET settled = ${to}::int
    WHERE id = ${id}::uuid AND status = 'DRAWING' AND settled = ${from}::int`,
)

const askedRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  slug: 'text',
  lotteryId: 'uuid?',
})

/**
 * Lotteries by slug, each with its open draw that closes next. A lottery of the partner comes before one open to every
 * partner. `lotteryId` chooses between two with the same slug.
 */
export const selectEntryDraws = statement(
  'find_entry_draws',
  returns({
    n: 'int',
    status: 'LotteryStatus',
    endsAt: 'timestamptz?',
    lotteryId: 'uuid',
    slug: 'text',
    drawId: 'uuid?',
    rules: 'text?',
    isActive: 'boolean',
  }),
  (requested: ItemsOf<typeof askedRows>, now: Date) => Prisma.sql`
    SELECT k.n, l.status, l.ends_at AS "endsAt", l.id AS "lotteryId", l.slug, d.id AS "drawId", d.rules,
      l.status = 'ACTIVE' AND (l.ends_at IS NULL OR l.ends_at > ${now}::timestamptz) AS "isActive"
    FROM ${askedRows(requested, 'k')}
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
    ) d ON true`,
)

/** Locks the draws that are still open, and their lotteries. */
export const lockOpenDraws = lockStatement(
  'lock_entry_draws',
  returns({ id: 'uuid', lotteryId: 'uuid', tickets: 'int', lotteryTickets: 'int' }),
  (ids: string[], now: Date) => Prisma.sql`
    SELECT d.id, l.id AS "lotteryId", d.tickets, l.tickets AS "lotteryTickets"
    FROM lottery l JOIN lottery_draw d ON d.lottery_id = l.id
    WHERE d.id = ANY (${ids}::uuid[]) AND d.status = 'OPEN' AND l.status = 'ACTIVE'
      AND d.closes_at > ${now}::timestamptz
    ORDER BY l.id, d.id FOR NO KEY UPDATE`,
)

const holderRows = inputRows({
  partnerId: 'uuid',
  environment: 'Environment',
  drawId: 'uuid',
  entrant: 'text',
})

/** The number of tickets of users in draws. Skips users without tickets. */
export const countTickets = statement(
  'count_entrants',
  returns({
    partnerId: 'uuid',
    environment: 'Environment',
    drawId: 'uuid',
    entrant: 'text',
    tickets: 'int',
  }),
  (holders: ItemsOf<typeof holderRows>) => Prisma.sql`
    SELECT e.partner_id AS "partnerId", e.environment, e.draw_id AS "drawId", e.entrant, e.tickets
    FROM (SELECT DISTINCT partner_id, environment, draw_id, entrant FROM ${holderRows(holders)}) i
    CROSS JOIN LATERAL (SELECT * FROM lottery_entrant
      WHERE (partner_id, environment, draw_id, entrant)
        = (i.partner_id, i.environment, i.draw_id, i.entrant) LIMIT 1) e`,
)

/** The number of tickets that partners have entered into lotteries. */
export const readAccounts = statement(
  'read_accounts',
  returnsModel('LotteryAccount'),
  (lotteryIds: string[], partnerIds: string[]) => Prisma.sql`
    SELECT ${columnsOf('LotteryAccount', 'a')}
    FROM lottery_account a WHERE lottery_id = ANY (${lotteryIds}::uuid[])
      AND partner_id = ANY (${partnerIds}::uuid[])`,
)
