/** Proofs of draws and of tickets. */

import { LRUCache } from 'lru-cache'
import type { LotteryDraw, LotteryTicket } from '../generated/prisma/client.ts'
import type { DrawStatus } from '../generated/prisma/enums.ts'
import type { Config } from '../kit/config/config.ts'
import type { Queries } from '../kit/database/db.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import type { Tenant } from '../kit/tenant.ts'
import { type DrawView, pageUrlOf } from './draw-view.ts'
import type { LotteryRules } from './lottery.rules.ts'
import { drawRecord, merklePath, ticketRecord } from './proof-format.ts'
import type { TierResult } from './run-draw.ts'
import { entrantOf } from './ticket.ts'
import { linesOf } from './ticket-view.ts'
import { leavesOfNode, nodeOf, readLeaves, readNodes } from './tree.ts'

type Make = () => Promise<Buffer>

const memoryBytes = 64 * 1024 ** 2
const memoryOf = singleton(
  'published draws',
  () =>
    new LRUCache<string, Buffer, Make>({
      maxSize: memoryBytes,
      sizeCalculation: ({ length }) => length + 1,
      fetchMethod: (_, __, { context: make }) => make(),
    }),
)

/** The text for a key. It is built once, even for simultaneous calls. */
export const publishedOnce = (
  runtime: Pick<Runtime, 'singletons'>,
  key: string,
  make: Make,
): Promise<Buffer> => memoryOf(runtime).forceFetch(key, { context: make })

/** Longer lists are served as a separate file. */
const maxTickets = 10_000

type Inclusion = { record: string; position: number; path: string[] }

type DrawProof = {
  version: 1
  drawId: string
  lotterySlug: string
  drawNo: number
  status: DrawStatus
  rules: string | null
  commitment: string | null
  ticketCount: number
  root: string | null
  seed: string | null
  main: number[]
  bonus: number[]
  potCents: number | null
  payoutCents: number | null
  tiers: (TierResult & { name: string })[]
  tickets: string[] | null
  ticketsUrl: string | null
  ticket: null
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const hexOrNull = (bytes: Uint8Array | null) => (bytes ? hex(bytes) : null)

const recordOf = (ticket: LotteryTicket) =>
  ticketRecord({ ...ticket, lines: linesOf(ticket), cancelled: ticket.cancelledAt !== null })

type ListedDraw = Pick<LotteryDraw, 'id' | 'rules' | 'tickets'>

/** The published list of a draw in parts: the line of the draw, then its tickets. */
export async function* publishedList(tx: Queries, draw: ListedDraw): AsyncGenerator<string[]> {
  yield [drawRecord(draw.id, draw.rules ?? '')]
  // Small enough that other requests are served while a list is read.
  const step = 1_000
  for (let from = 0; from < draw.tickets; from += step) {
    const tickets = await acrossTenants(tx, 'LOTTERY').lotteryTicket.findMany({
      where: { drawId: draw.id, ticketNo: { gt: from, lte: from + step } },
      orderBy: { ticketNo: 'asc' },
    })
    yield tickets.map(recordOf)
  }
}

/** The published list of a closed draw as one text. The list must fit into memory. */
export const publishedText = (
  runtime: Pick<Runtime, 'tx' | 'singletons'>,
  draw: ListedDraw,
): Promise<Buffer> =>
  publishedOnce(runtime, `${draw.id} list`, async () => {
    const parts: Buffer[] = []
    for await (const part of publishedList(runtime.tx, draw))
      parts.push(Buffer.from(`${part.join('\n')}\n`))
    return Buffer.concat(parts)
  })

/** Proves that a ticket is in the list of a draw whose root is published. Reads at most 1,024 leaves. */
export const inclusionOf = async (
  tx: Queries,
  draw: LotteryDraw,
  ticket: LotteryTicket,
): Promise<Inclusion> => {
  const position = ticket.ticketNo
  const nodeNo = nodeOf(position)
  const first = nodeNo * leavesOfNode
  const leaves = await readLeaves(tx, draw, first, Math.min(first + leavesOfNode, draw.tickets + 1))
  const path = [
    ...merklePath(leaves, position - first),
    ...merklePath(await readNodes(tx, draw), nodeNo),
  ]
  return { record: recordOf(ticket), position, path: path.map(hex) }
}

const isTicketRef = (text: string) => /^LX-\d{4}-\d{4}-[A-Z0-9]{4}$/.test(text)

/**
 * A ticket of a draw by its reference.
 * @param tenant if given, the partner whose ticket it must be
 */
export const findTicket = (
  tx: Queries,
  draw: LotteryDraw,
  ticketRef: string,
  tenant?: Tenant,
): Promise<LotteryTicket | null> =>
  isTicketRef(ticketRef)
    ? (tenant ? ofTenant(tx, tenant) : acrossTenants(tx, 'LOTTERY')).lotteryTicket.findFirst({
        where: { lotteryId: draw.lotteryId, drawId: draw.id, ticketRef },
      })
    : Promise.resolve(null)

type ListedTicket = Pick<LotteryTicket, 'drawId' | 'ticketRef'>

/** The positions of tickets in the lists of draws, in one statement; null where a draw has no such ticket. */
export const findTicketPositions = async (
  { tx }: Pick<Work, 'tx'>,
  keys: (ListedTicket & Pick<LotteryTicket, 'lotteryId'>)[],
): Promise<(number | null)[]> => {
  const nameOf = ({ drawId, ticketRef }: ListedTicket) => `${drawId} ${ticketRef}`
  const found = await acrossTenants(tx, 'LOTTERY').lotteryTicket.findMany({
    where: {
      OR: keys
        .filter(({ ticketRef }) => isTicketRef(ticketRef))
        .map(({ lotteryId, drawId, ticketRef }) => ({ lotteryId, drawId, ticketRef })),
    },
    select: { drawId: true, ticketRef: true, ticketNo: true },
  })
  return inOrder(keys, found, nameOf, nameOf).map((ticket) => ticket?.ticketNo ?? null)
}

/** A ticket in the list of a draw, with its holder. */
export type TicketProof = Inclusion & { entrant: string; salt: string }

/** The proof of a ticket of a partner. Null for an unknown ticket; `ticket` is null until the root is published. */
export const findTicketProof = async (
  tx: Queries,
  draw: DrawView,
  ticketRef: string,
  tenant: Tenant,
): Promise<{ ticket: TicketProof | null } | null> => {
  const ticket = await findTicket(tx, draw, ticketRef, tenant)
  if (!ticket) return null
  if (!draw.root) return { ticket: null }
  const inclusion = await inclusionOf(tx, draw, ticket)
  return { ticket: { ...inclusion, entrant: entrantOf(ticket), salt: hex(ticket.salt) } }
}

/** The published list, if it is short enough to be part of a proof. */
export const publishedTickets = async (
  runtime: Pick<Runtime, 'tx' | 'singletons'>,
  draw: LotteryDraw,
): Promise<string[] | null> =>
  draw.root !== null && draw.tickets <= maxTickets
    ? (await publishedText(runtime, draw)).toString().trimEnd().split('\n')
    : null

export const ticketsUrlOf = (
  config: Pick<Config, 'publicUrl'>,
  { id, root }: LotteryDraw,
): string | null => (root === null ? null : `${pageUrlOf(config, id)}/tickets.txt`)

/** The proof of a draw as a file, as far as it is published. */
export const getProof = async (
  runtime: Pick<Runtime, 'tx' | 'config' | 'singletons'>,
  draw: DrawView,
  { withList = true } = {},
): Promise<DrawProof> => {
  const { tiers = [] } = draw.rules ? (JSON.parse(draw.rules) as LotteryRules) : {}
  return {
    version: 1,
    drawId: draw.id,
    lotterySlug: draw.lottery.slug,
    drawNo: draw.drawNo,
    status: draw.status,
    rules: draw.rules,
    commitment: hexOrNull(draw.commitment),
    ticketCount: draw.tickets,
    root: hexOrNull(draw.root),
    seed: hexOrNull(draw.seed),
    main: draw.main,
    bonus: draw.bonus,
    potCents: draw.potCents === null ? null : Number(draw.potCents),
    payoutCents: draw.payoutCents === null ? null : Number(draw.payoutCents),
    tiers: ((draw.results ?? []) as TierResult[]).map((result, i) => ({
      ...result,
      name: tiers[i]?.name ?? '',
    })),
    tickets: withList ? await publishedTickets(runtime, draw) : null,
    ticketsUrl: ticketsUrlOf(runtime.config, draw),
    ticket: null,
  }
}
