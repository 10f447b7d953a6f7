/** Archives of a ledger as chains: the last checkpoint of a user in one file is the first in the next. */
import type { Checkpoint, LedgerFile, Segment } from './ledger-file.ts'

/** The checkpoints of a user in one file, in their order. */
type Run = { userId: string; checkpoints: Checkpoint[] }

const runsOf = async function* (segments: AsyncIterable<Segment>): AsyncGenerator<Run> {
  let run: Run | undefined
  for await (const { before, after } of segments) {
    if (run?.userId === before.userId) run.checkpoints.push(after)
    else {
      if (run) yield run
      run = { userId: before.userId, checkpoints: [before, after] }
    }
  }
  if (run) yield run
}

/** All checkpoints of a user, from the first to the last file that has them. */
export type Chain = {
  userId: string
  checkpoints: Checkpoint[]
  /** Whether each file continues the one before. */
  isWhole: boolean
}

const has = (checkpoints: Checkpoint[], one: Checkpoint): boolean => {
  const text = JSON.stringify(one)
  return checkpoints.some((other) => JSON.stringify(other) === text)
}

const chainOf = (userId: string, runs: Run[]): Chain => {
  const checkpoints = [...(runs[0]?.checkpoints ?? [])]
  let isWhole = true
  for (const { checkpoints: next } of runs.slice(1)) {
    // An archive that was interrupted is continued at any of its checkpoints.
    isWhole &&= has(checkpoints, next[0] as Checkpoint)
    checkpoints.push(...next)
  }
  return { userId, checkpoints, isWhole }
}

/**
 * Reads files together, user by user, and keeps one user in memory.
 * @param files the oldest first
 */
export const readChains = async function* (files: LedgerFile[]): AsyncGenerator<Chain> {
  const readers = files.map(({ segments }) => runsOf(segments))
  const heads = await Promise.all(readers.map(async (reader) => (await reader.next()).value))
  for (;;) {
    const userId = heads
      .flatMap((run) => (run ? [run.userId] : []))
      .reduce<string | undefined>(
        (least, id) => (least === undefined || id < least ? id : least),
        undefined,
      )
    if (userId === undefined) return
    const runs: Run[] = []
    for (const [i, run] of heads.entries()) {
      if (run?.userId !== userId) continue
      runs.push(run)
      heads[i] = (await (readers[i] as AsyncGenerator<Run>).next()).value
    }
    yield chainOf(userId, runs)
  }
}
