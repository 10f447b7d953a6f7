/**
 * The Merkle tree of a draw. The leaves are stored with the tickets. One node is stored for every 1,024 leaves as soon
 * as they are complete, so that little is left to do when the draw closes.
 */

import type { LotteryDraw } from '../generated/prisma/client.ts'
import type { Queries } from '../kit/database/db.ts'
import type { Work } from '../kit/runtime.ts'
import { drawRecord, hashBytes, merkleRoot, ticketLeafOf } from './proof-format.ts'
import { insertNodes, joinLeaves, listGrownDraws } from './tree.sql.ts'

/** Leaves under one stored node. A power of two, so that stored nodes are also nodes of the whole tree. */
export const leavesOfNode = 1024
const nodeBytes = leavesOfNode * hashBytes
/** Nodes that are built from one read: 32,768 leaves, 1 MB. */
export const nodesOfStep = 32

/** The stored node above a ticket. */
export const nodeOf = (ticketNo: number): number => Math.floor(ticketNo / leavesOfNode)

/**
 * The concatenated hashes of the published list between two places, the second excluded. The line of the draw is at 0,
 * ticket n at n.
 */
export const readLeaves = async (
  tx: Queries,
  draw: Pick<LotteryDraw, 'id' | 'rules'>,
  from: number,
  to: number,
): Promise<Buffer> => {
  const [row] = await joinLeaves(tx, draw.id, from, to)
  const first = from === 0 ? ticketLeafOf(drawRecord(draw.id, draw.rules ?? '')) : Buffer.alloc(0)
  const leaves = Buffer.concat([first, row?.leaves ?? Buffer.alloc(0)])
  if (leaves.length !== (to - from) * hashBytes)
    throw new Error(`draw ${draw.id} lacks tickets between ${from} and ${to}`)
  return leaves
}

/** How many complete nodes a draw has now. While it is open, the last one is incomplete. */
const countNodes = ({ status, tickets }: LotteryDraw) =>
  (status === 'OPEN' ? Math.floor : Math.ceil)((tickets + 1) / leavesOfNode)

/** Ranges of complete nodes that are not stored, none longer than a step. */
const missingNodes = async (
  tx: Queries,
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
 * Stores the complete nodes that are missing. Concurrent calls store each node once. A node whose tickets change
 * meanwhile is left for the next call.
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
    leaves.catch(() => {}) // reported when it is awaited
    return leaves
  }
  let next = read(0)
  for (const [n, { first, end }] of runs.entries()) {
    const leaves = (await next) as Buffer
    // The database reads the next leaves while these are hashed.
    next = read(n + 1)
    const nodes = Array.from({ length: end - first }, (_, i) => ({
      nodeNo: first + i,
      hash: merkleRoot(leaves.subarray(i * nodeBytes, (i + 1) * nodeBytes)),
    }))
    await insertNodes(tx, draw, nodes)
  }
}

/** The concatenated nodes of a closed draw. */
export const readNodes = async (tx: Queries, draw: LotteryDraw): Promise<Buffer> => {
  const nodes = await tx.lotteryNode.findMany({
    where: { drawId: draw.id },
    orderBy: { nodeNo: 'asc' },
  })
  if (nodes.length !== countNodes(draw)) throw new Error(`draw ${draw.id} lacks nodes`)
  return Buffer.concat(nodes.map(({ hash }) => hash))
}

/** Open draws with enough new tickets for another node. */
export const findGrownDraws = ({ tx }: Pick<Work, 'tx'>): Promise<{ id: string }[]> =>
  listGrownDraws(tx, leavesOfNode)
