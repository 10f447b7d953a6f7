/** What an operation takes from the allowance of its caller, and what its answer says of that. */
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'
import { type Caller, type Callers, type Context, isGoodCaller } from '../core/context.ts'
import { TesseraError } from '../core/errors.ts'
import { type Allowance, pointsOfOperation, type Take } from '../core/http/rate-limit.ts'
import type { Costs } from './cost.ts'
import { refusal } from './faults.ts'

/** The caller whose allowance counts: of several credentials the strongest that is good. */
export const payerOf = ({ secret, member, public: key }: Callers): Caller | null =>
  [secret, member, key].find(isGoodCaller) ?? null

/** What is known of an operation beside what resolvers get. */
export type Budgeted = {
  /** After the least that an operation takes was taken. */
  allowance: Allowance | null
  /** Whether the answer may be given to others, whose allowance is another. */
  isShared?: boolean
  /** Points; undefined before the document was found to be valid. */
  cost?: number
}

/** `extensions.cost` of an answer. Without limits there is nothing to say but what was asked for. */
const costOf = ({ cost = pointsOfOperation, allowance, isShared }: Budgeted) => ({
  requested: cost,
  limit: allowance?.limit ?? null,
  remaining: isShared ? null : (allowance?.remaining ?? null),
  restoreRate: allowance?.limit ?? null,
})

export const withCost = (result: ExecutionResult, budgeted: Budgeted): ExecutionResult => {
  result.extensions = { ...result.extensions, cost: costOf(budgeted) }
  return result
}

/** Gives the function that tells why an operation of a valid document is not executed; empty when it may be. */
export const createAdmission =
  (costs: Costs, take: Take) =>
  async (args: ExecutionArgs): Promise<readonly GraphQLError[]> => {
    const context = args.contextValue as Context & Budgeted
    const { errors, complexity } = costs(args)
    context.cost = Math.max(complexity, pointsOfOperation)
    if (errors.length > 0) return errors
    const more = context.cost - pointsOfOperation
    if (more === 0) return []
    context.allowance = await take(payerOf(context.callers), context.ip, more)
    if (!context.allowance?.isExceeded) return []
    const { resetSeconds, limit } = context.allowance
    const message = `The operation costs ${context.cost} points, more than is left of ${limit} in this second`
    const details = { message, limit, current: null, retryAfter: resetSeconds }
    return [refusal(new TesseraError('RATE_LIMITED', details))]
  }
