/** Who is blocked. A block with an end is over once that is past, without anybody doing something. */
import type { BlockReason } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'

/** The columns of a user that say so. */
type Block = { blockReason: BlockReason | null; blockedUntil: Date | null }

/** The end of a block that has none. */
export const forGood = new Date('9999-01-01T00:00:00Z')

export const isBlocked = ({ blockedUntil }: Block, now: Date): boolean =>
  blockedUntil !== null && blockedUntil > now

/** Whether the user is blocked for fraud: then nothing is awarded, and the user is on no leaderboard. */
export const isBlockedForFraud = (user: Block, now: Date): boolean =>
  user.blockReason === 'FRAUD' && isBlocked(user, now)

/** The refusal of what blocked users cannot do. It does not say why they are blocked. */
export const userBlocked = (details: { path?: string } = {}): TesseraError =>
  new TesseraError('USER_BLOCKED', { ...details, status: 'BLOCKED', since: null })
