/** Charges operations to the allowance of their caller, and reports it in the answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
} from 'graphql'
import { type Caller, type Callers, type Context, isGoodCaller } from '../kit/access/context.ts'
import { TesseraError } from '../kit/errors.ts'
import { type Allowance, pointsOfOperation, type Take } from '../kit/http/rate-limit.ts'
import { coerceVariables } from '../kit/schema/variable-values.ts'
import { actualCostOf } from './actual-cost.ts'
import type { Costs } from './cost.ts'
import { documentLimits, tooComplex } from './document-limits.ts'
import { refusal } from './faults.ts'
import type { Priced } from './prices.ts'

/** The caller whose allowance counts: that of the strongest valid credential. */
export const payerOf = ({ secret, member, public: key }: Callers): Caller | null =>
  [secret, member, key].find(isGoodCaller) ?? null

/** The cost data of an operation, beyond the context of resolvers. */
export type Budgeted = {
  /** The allowance after the minimum cost was charged. */
  allowance: Allowance | null
  /** Whether the answer is shared with callers who have other allowances. */
  isShared?: boolean
  /** Points that the request has paid. Defaults to those of one operation. */
  paid?: number
  /** Points; undefined until the document has been validated. */
  cost?: number
  /** What the answer cost, when it is less. */
  actualCost?: number
}

/**
 * Whether a request asks what its operation costs (`X-Tessera-Dry-Run: 1`). The operation is checked but not executed, and
 * costs no more than the minimum.
 */
export const isDryRun = ({ req }: { req?: FastifyRequest }): boolean =>
  req?.headers['x-tessera-dry-run'] === '1'

/** `extensions.cost` of an answer. Without limits it has the requested cost, and that of the dearest operation. */
const costOf = ({ cost = pointsOfOperation, actualCost, allowance, isShared }: Budgeted) => ({
  requested: cost,
  actual: actualCost ?? cost,
  operationLimit: documentLimits.complexity,
  limit: allowance?.limit ?? null,
  remaining: isShared ? null : (allowance?.remaining ?? null),
  restoreRate: allowance?.limit ?? null,
})

export const withCost = (result: ExecutionResult, budgeted: Budgeted): ExecutionResult => {
  result.extensions = { ...result.extensions, cost: costOf(budgeted) }
  return result
}

/**
 * Gives back what a query paid for more items than its answer has. It keeps the minimum, and the whole price after an error,
 * so that an operation which fails is not tried for nothing.
 */
export const giveBackUnused = async (
  args: ExecutionArgs,
  { data, errors }: ExecutionResult,
  budgeted: Budgeted,
): Promise<void> => {
  const { cost = pointsOfOperation, allowance } = budgeted
  if (errors || cost <= pointsOfOperation) return
  const actual = actualCostOf(args, data)
  if (actual === null || actual >= cost) return
  budgeted.actualCost = Math.max(actual, pointsOfOperation)
  if (!allowance) return
  const remaining = await allowance.giveBack(cost - budgeted.actualCost)
  budgeted.allowance = { ...allowance, remaining }
}

const sumOf = (prices: readonly Priced[], most = Number.POSITIVE_INFINITY) =>
  prices.reduce((sum, { cost }) => sum + Math.min(cost, most), 0)

/** `Dearest: codes (50000), m1 (500)` */
const dearestOf = (prices: readonly Priced[]) => {
  const dearest = prices.toSorted((a, b) => b.cost - a.cost).slice(0, 3)
  return `Dearest: ${dearest.map(({ path, cost }) => `${path} (${cost})`).join(', ')}`
}

/** The error for mutations that cost more than an allowance together, so that they can only be sent apart. */
const tooMuch = (prices: readonly Priced[], limit: number): GraphQLError =>
  tooComplex(
    `The mutations of the operation cost ${sumOf(prices)} points, more than the ${limit} of a second. ${dearestOf(prices)}`,
  )

/** The first problem with the variables of an operation. Nothing else reads them before. */
const variableFaultOf = ({ schema, document, operationName, variableValues }: ExecutionArgs) => {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  return coerceVariables(schema, definitions, variableValues ?? {}).fault
}

/** Returns the function that gives the reasons to refuse an operation of a valid document, or an empty list. */
export const createAdmission =
  (costs: Costs, take: Take) =>
  async (args: ExecutionArgs): Promise<readonly GraphQLError[]> => {
    const context = args.contextValue as Context & Budgeted & { req?: FastifyRequest }
    const fault = variableFaultOf(args)
    if (fault) return [fault]
    const { errors, complexity, prices } = costs(args)
    context.cost = Math.max(complexity, sumOf(prices), pointsOfOperation)
    if (errors.length > 0) return errors
    const more = context.cost - pointsOfOperation
    if (more === 0 || isDryRun(context)) return []
    const most = context.allowance?.limit
    // One mutation takes what is left. Several that need a whole allowance would be executed at the price of one.
    if (most !== undefined && sumOf(prices, most) > most && prices.length > 1)
      return [tooMuch(prices, most)]
    const { callers, ip, paid = pointsOfOperation } = context
    const takesRest = prices.length === 1
    context.allowance = await take(payerOf(callers), ip, more, { paid, takesRest })
    if (!context.allowance?.isExceeded) return []
    const { resetSeconds, limit } = context.allowance
    const message = [
      `The operation costs ${context.cost} points, more than is left of ${limit} in this second`,
      ...(prices.length > 0 ? [dearestOf(prices)] : []),
    ].join('. ')
    const details = { message, limit, current: null, retryAfter: resetSeconds }
    return [refusal(new TesseraError('RATE_LIMITED', details))]
  }

/**
 * Returns the function that charges an admitted operation once more. It waits until the caller has enough points, and leaves
 * a quarter of them to requests.
 */
export const createPayment =
  (take: Take) =>
  async ({ contextValue }: ExecutionArgs): Promise<void> => {
    const { callers, ip, cost = pointsOfOperation } = contextValue as Context & Budgeted
    for (;;) {
      const allowance = await take(payerOf(callers), ip, cost)
      if (!allowance) return
      const { isExceeded, remaining, limit } = allowance
      const isFirst = remaining + cost >= limit
      if (!isExceeded && (isFirst || remaining >= limit / 4)) return
      if (!isExceeded) await allowance.giveBack(cost)
      await sleep(allowance.resetSeconds * 1_000)
    }
  }
