/**
 * The Merkle tree of a draw. Its leaves stand in the rows of its tickets. Of every 1,024 leaves one node
 * is stored: as soon as they are complete, so that little is left to do when the draw closes.
 */
import type { Tx } from '../core/db/db.ts'
import type { Work } from '../core/runtime.ts'
import type { LotteryDraw } from '../generated/prisma/client.ts'
import { drawRecord, hashBytes, leafOf, merkleRoot } from './proof-format.ts'

/** Leaves under one stored node. A power of two, so that the nodes are nodes of the whole tree. */
export const leavesOfNode = 1024
const nodeBytes = leavesOfNode * hashBytes
/** Nodes that are made of one reading: 32,768 leaves, 1 MB. */
export const nodesOfStep = 32

/** The stored node above a ticket. */
export const nodeOf = (ticketNo: number): number => Math.floor(ticketNo / leavesOfNode)

/**
 * Hashes of the published list from one place to another, the second excluded, one after another: the
 * draw's own line stands at 0, ticket n at n.
 */
export const readLeaves = async (
  tx: Tx,
  draw: Pick<LotteryDraw, 'id' | 'rules'>,
  from: number,
  to: number,
): Promise<Buffer> => {
  const [row] = await tx.$queryRaw<{ leaves: Uint8Array | null }[]>`/* read_leaves */
    SELECT string_agg(leaf, ''::bytea) AS leaves FROM (SELECT leaf FROM lottery_ticket
      WHERE draw_id = ${draw.id}::uuid AND ticket_no >= ${from}::int AND ticket_no < ${to}::int
      ORDER BY ticket_no) t`
  const first = from === 0 ? leafOf(drawRecord(draw.id, draw.rules ?? '')) : Buffer.alloc(0)
  const leaves = Buffer.concat([first, row?.leaves ?? Buffer.alloc(0)])
  if (leaves.length !== (to - from) * hashBytes)
    throw new Error(`draw ${draw.id} lacks tickets between ${from} and ${to}`)
  return leaves
}

/** How many nodes a draw can have now: while it is open, its last one still grows. */
const countNodes = ({ status, tickets }: LotteryDraw) =>
  (status === 'OPEN' ? Math.floor : Math.ceil)((tickets + 1) / leavesOfNode)

/** Runs of nodes that a draw can have and has not, none longer than a step. */
const missingNodes = async (
  tx: Tx,
  draw: LotteryDraw,
  longest: number,
): Promise<{ first: number; end: number }[]> => {
  const stored = await tx.lotteryNode.findMany({
    where: { drawId: draw.id },
    select: { nodeNo: true },
  })
  const has = new Set(stored.map(({ nodeNo }) => nodeNo))
  const runs: { first: number; end: number }[] = []
  for (let nodeNo = 0; nodeNo < countNodes(draw); nodeNo++) {
    const run = runs.at(-1)
    if (has.has(nodeNo)) continue
    if (run?.end === nodeNo && nodeNo - run.first < longest) run.end++
    else runs.push({ first: nodeNo, end: nodeNo + 1 })
  }
  return runs
}

/**
 * Makes the nodes that a draw can have and has not. Two who do it at once do it once. A node whose
 * tickets changed while it was made is left out: it is made the next time.
 */
export const makeNodes = async (
  { tx }: Pick<Work, 'tx'>,
  draw: LotteryDraw,
  longest = nodesOfStep,
): Promise<void> => {
  const runs = await missingNodes(tx, draw, longest)
  const read = (n: number) => {
    const run = runs[n]
    if (!run) return undefined
    const end = Math.min(run.end * leavesOfNode, draw.tickets + 1)
    const leaves = readLeaves(tx, draw, run.first * leavesOfNode, end)
    leaves.catch(() => {}) // it is heard when it is awaited
    return leaves
  }
  let next = read(0)
  for (const [n, { first, end }] of runs.entries()) {
    const leaves = (await next) as Buffer
    // The database reads what comes next while these are hashed.
    next = read(n + 1)
    const nodes = Array.from({ length: end - first }, (_, i) => ({
      node_no: first + i,
      hash: `\\x${merkleRoot(leaves.subarray(i * nodeBytes, (i + 1) * nodeBytes)).toString('hex')}`,
    }))
    // A ticket is cancelled under the lock of the draw's row, and counted there.
    await tx.$executeRaw`/* make_nodes */
      INSERT INTO lottery_node (draw_id, node_no, hash)
      SELECT d.id, n.node_no, n.hash FROM lottery_draw d
        CROSS JOIN json_to_recordset(${JSON.stringify(nodes)}::json) AS n (node_no int, hash bytea)
      WHERE d.id = ${draw.id}::uuid AND d.cancelled = ${draw.cancelled}::int
      FOR SHARE OF d ON CONFLICT DO NOTHING`
  }
}

/** The stored nodes of a closed draw, one after another. */
export const readNodes = async (tx: Tx, draw: LotteryDraw): Promise<Buffer> => {
  const nodes = await tx.lotteryNode.findMany({
    where: { drawId: draw.id },
    orderBy: { nodeNo: 'asc' },
  })
  if (nodes.length !== countNodes(draw)) throw new Error(`draw ${draw.id} lacks nodes`)
  return Buffer.concat(nodes.map(({ hash }) => hash))
}

/** Open draws that have as many new tickets as a node takes. */
export const findGrownDraws = ({ tx }: Pick<Work, 'tx'>): Promise<{ id: string }[]> =>
  tx.$queryRaw`/* find_grown_draws */
    SELECT id FROM lottery_draw d WHERE status = 'OPEN' AND (tickets + 1) / ${leavesOfNode}::int
      > (SELECT count(*) FROM lottery_node n WHERE n.draw_id = d.id)`
