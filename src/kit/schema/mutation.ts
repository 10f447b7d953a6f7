import { channel } from 'node:diagnostics_channel'
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import { audited, recordRefusedAttempt } from '../access/audited.ts'
import { type Access, type CallerOf, type Context, requireCaller } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { asSingleCall } from '../database/outage.ts'
import { isResultKind } from '../error-kinds.ts'
import { type ErrorCode, errorTable, TesseraError } from '../errors.ts'
import { throwUnknownOutcome } from '../http/error-mapping.ts'
import {
  leastOf,
  type Price,
  type Pricing,
  pointsOfRequest,
  priceOf,
  priceText,
} from '../http/price.ts'
import { singleton } from '../singleton.ts'
import { type Tenant, tenantOf } from '../tenant.ts'
import { check } from '../validation.ts'
import { type FieldMaker, untypedBuilder } from './builder.ts'
import { errorPaths } from './error-paths.ts'
import { errorTypeName, errorTypes, Problem, type ResultCode } from './error-types.ts'
import { type Expecting, refuseOutdated, withExpectedVersion } from './expected-version.ts'
import { capital, inputType } from './input.ts'
import { nullWithError } from './null-with-error.ts'
import { type Entities, type PayloadOf, payloadType, targetOf } from './payload.ts'

/**
 * The caller of a mutation.
 * @throws TesseraError one of the authentication failures of the interface
 */
const callerOf = <A extends Access>(
  ctx: Context,
  { key, right = null, takesSecret }: { key: A; right?: Right | null; takesSecret?: boolean },
): CallerOf<A> => {
  const caller = requireCaller(ctx, key, right)
  if (takesSecret && ctx.callers.secret instanceof Error) throw ctx.callers.secret
  return caller
}

type NoInput = z.ZodObject<Record<never, never>>

/** The right required. Access for operators or anyone needs none. */
type RightFor<A extends Access> = A extends 'anyone' | 'operator'
  ? { right?: undefined }
  : { right: Right }

/** The input of a call with a key of a partner also names the tenant of the caller. */
type OfTenant<A extends Access> = A extends 'public' | 'secret' ? Tenant : unknown

type Options<A extends Access, S extends z.ZodObject, P extends Entities, I> = {
  description: string
  /** The access required. */
  key: A
  /**
   * Whether a secret key is worth more than a public key beside it. Then one that is sent must be valid, so that what a
   * backend sends is either trusted or refused.
   */
  takesSecret?: boolean
  /** Omitted: the mutation takes no argument. */
  input?: S
  payload: P
  /** The mutation whose payload type it shares, because both do the same. By default it has its own. */
  payloadOf?: string
  /** Besides those of access, of its input and of its version. */
  errors: ResultCode[]
  /** Errors that are results only in the list of another mutation, which does the same for each item. */
  errorsInLists?: ResultCode[]
  /** What a call costs of the caller's allowance; that of a REST request by default. */
  price?: Price<z.output<S>>
  /**
   * Whether the first entity of the payload has a version, which each call changes once. Then the input takes
   * `expectedVersion`, and CONFLICT is an error. Only with an entry in the audit log.
   */
  isVersioned?: boolean
  /**
   * Whether it is recorded in the audit log; true by default. `resolve` then runs in the transaction that writes the
   * entry. False for what the keys of a partner do for its users all day.
   */
  isAudited?: boolean
  /**
   * Runs before the transaction and returns the input of `resolve`. For slow work, such as hashing a password or
   * resolving a host name, and for writes that must survive a refusal, such as counted attempts.
   */
  prepare?(input: z.output<S> & OfTenant<A>, ctx: Context, caller: CallerOf<A>): Promise<I>
  resolve(
    input: I & OfTenant<A>,
    ctx: Context,
    caller: CallerOf<A>,
    info: GraphQLResolveInfo,
  ): Promise<PayloadOf<P>>
  /** Runs after the transaction and returns the payload. For work in many steps that the transaction decided on. */
  finish?(payload: PayloadOf<P>, ctx: Context): Promise<PayloadOf<P>>
} & RightFor<A>

const ofTenant = <I, A extends Access>(access: A, caller: CallerOf<A>, input: I): I & OfTenant<A> =>
  (caller && (access === 'public' || access === 'secret')
    ? { ...input, ...tenantOf(caller) }
    : input) as I & OfTenant<A>

const runMutation = async <A extends Access, S extends z.ZodObject, P extends Entities, I>(
  action: string,
  { isAudited = true, payload: entities, ...options }: Options<A, S, P, I>,
  { expectedVersion, ...given }: z.output<S> & Expecting,
  caller: CallerOf<A>,
  ctx: Context,
  info: GraphQLResolveInfo,
): Promise<PayloadOf<P>> => {
  const { prepare, resolve, finish } = options
  const input = ofTenant(options.key, caller, given as z.output<S>)
  const prepared = prepare
    ? ofTenant(options.key, caller, await prepare(input, ctx, caller))
    : (input as unknown as I & OfTenant<A>)
  const targetIn = (payload: PayloadOf<P>) =>
    targetOf(entities, payload, caller ?? { environment: null })
  const run = async (ctx: Context) => {
    const payload = await resolve(prepared, ctx, caller, info)
    if (expectedVersion != null) refuseOutdated(expectedVersion, payload, targetIn(payload))
    return payload
  }
  const payload = isAudited
    ? await audited(ctx, { action, caller, run, targetOf: targetIn })
    : await run(ctx)
  return finish ? finish(payload, ctx) : payload
}

/** The price, or how it follows from the arguments. Invalid input costs as much as a request: nothing is done. */
const pricing = <S extends z.ZodObject>(
  price: Price<z.output<S>> = pointsOfRequest,
  schema?: S,
): Pricing => {
  if (typeof price === 'number') return price
  const pricing = ({ input }: { input?: unknown }) => {
    const parsed = schema?.safeParse(input)
    return parsed?.success ? priceOf(price, parsed.data) : pointsOfRequest
  }
  return Object.assign(pricing, { least: leastOf(price) })
}

/** Refusals of credentials, which are top-level errors also when a mutation finds them. */
const ofCredentials: readonly ErrorCode[] = [
  'API_KEY_EXPIRED',
  'API_KEY_NETWORK_NOT_ALLOWED',
  'API_KEY_REVOKED',
  'APPLICATION_NOT_ACTIVE',
  'INVALID_API_KEY',
  'INVALID_BEARER_TOKEN',
  'INVALID_USER_TOKEN',
  'MISSING_USER_TOKEN',
  'PARTNER_NOT_FOUND',
  'USER_TOKEN_OF_ANOTHER',
  'WRONG_CELL',
]

/** Receives the mutation and the code of each error that was thrown and not declared. Tests fail on it. */
const undeclared = channel('tessera:undeclared-error')

const logged = singleton('undeclared errors', () => new Set<string>())

/**
 * The result for an error that a mutation declares. Any other one is thrown. If it could have been a result, the
 * declaration is incomplete: the caller gets it at the top level, and it is logged once for the mutation and the code.
 */
const resultOf = (
  error: unknown,
  {
    ctx,
    mutation,
    expected,
    pathIn,
  }: {
    ctx: Context
    mutation: string
    expected: Set<ErrorCode>
    pathIn: ReturnType<typeof errorPaths>
  },
): Problem => {
  if (!(error instanceof TesseraError)) throw error
  const { code } = error
  recordRefusedAttempt(ctx, mutation, error)
  if (expected.has(code)) return new Problem(error, pathIn(error))
  if (!isResultKind(errorTable[code].kind) || ofCredentials.includes(code)) throw error
  undeclared.publish({ mutation, code })
  const known = logged(ctx)
  if (known.has(`${mutation} ${code}`)) throw error
  known.add(`${mutation} ${code}`)
  const details = { mutation, errorCode: code, requestId: ctx.requestId }
  ctx.log.error(details, 'a mutation threw an error that it does not declare')
  throw error
}

/** The tenant of the caller would hide such a field. */
const refuseTenantIn = (name: string, access: Access, input?: z.ZodObject): void => {
  const isHidden = input && ('partnerId' in input.shape || 'environment' in input.shape)
  if (isHidden && (access === 'public' || access === 'secret'))
    throw new Error(`the input of ${name} has a field of the tenant of its caller`)
}

/** The union of a payload and the errors that a mutation declares. */
const resultType = (
  name: string,
  payload: ReturnType<typeof payloadType>,
  errors: Set<ResultCode>,
) => {
  const codes = [...errors].map((code) => `\`${code}\``).join(', ')
  return untypedBuilder.unionType(`${capital(name)}Result`, {
    description: `The result of \`${name}\`.${codes && ` Errors: ${codes}.`}`,
    types: [payload, ...errorTypes(errors)],
    resolveType: (value: unknown) =>
      value instanceof Problem ? errorTypeName(value) : payload.name,
  })
}

/** The results of a mutation, for another one that does the same for each item of a list. */
type Results<P> = {
  /** The payload, or an error that the mutation declares. */
  type: { $inferType: PayloadOf<P> | Problem; name: string }
  /** The result for an error that the mutation declares. Any other error is thrown. */
  ofError(error: unknown, ctx: Context): Problem
}

/** The argument `input` of a mutation that takes one. */
const argsOf = (t: FieldMaker, name: string, type: unknown) =>
  type
    ? {
        input: t.arg({
          type,
          required: true,
          description: `The input of the mutation \`${name}\`.`,
        }),
      }
    : {}

/**
 * A mutation with one validated `input`. Its result is a payload of the changed entities or an expected error.
 * Missing access and server faults are GraphQL errors at the path of the mutation, which alone is null: what other
 * mutations of the operation have done is answered.
 */
export const mutation = <
  A extends Access,
  const P extends Entities,
  S extends z.ZodObject = NoInput,
  I = z.output<S>,
>(
  name: string,
  options: Options<A, S, P, I>,
): Results<P> => {
  const { input: ofDomain, right = null } = options as { input?: S; right?: Right }
  const { isVersioned = false, isAudited = true, errors, errorsInLists = [] } = options
  refuseTenantIn(name, options.key, ofDomain)
  const schema = ofDomain && isVersioned ? withExpectedVersion(ofDomain) : ofDomain
  const expected = new Set<ResultCode>([
    ...(schema ? (['VALIDATION_FAILED'] as const) : []),
    ...(isVersioned ? (['CONFLICT'] as const) : []),
    ...errors,
  ])
  const inLists = new Set<ResultCode>([...expected, ...errorsInLists])
  const Name = capital(name)
  const input = schema && inputType(`${Name}Input`, schema)
  const payload = payloadType(`${capital(options.payloadOf ?? name)}Payload`, options.payload)
  const result = resultType(name, payload, inLists)
  const known = { mutation: name, expected, pathIn: errorPaths(schema) }
  const ofError = (error: unknown, ctx: Context) => resultOf(error, { ctx, ...known })
  untypedBuilder.mutationFields((t) => ({
    [name]: t.field({
      type: result,
      description: [options.description, ...priceText(options.price)].join(' '),
      authScopes: { key: [options.key, right] },
      // REST documents the errors with each route.
      ...nullWithError({ errors, isAudited, price: pricing(options.price, schema) }),
      args: argsOf(t, name, input),
      resolve: async (
        _: unknown,
        args: Record<string, unknown>,
        ctx: Context,
        info: GraphQLResolveInfo,
      ) => {
        const caller = callerOf(ctx, options)
        let checked: z.output<S>
        try {
          checked = (schema ? check(schema, args.input) : {}) as z.output<S>
        } catch (error) {
          return ofError(error, ctx)
        }
        if (options.price !== undefined) await ctx.charge?.(priceOf(options.price, checked))
        return asSingleCall(() => runMutation(name, options, checked, caller, ctx, info))
          .catch(throwUnknownOutcome)
          .catch((error: unknown) => ofError(error, ctx))
      },
    }),
  }))
  const ofItem = (error: unknown, ctx: Context) =>
    resultOf(error, { ctx, ...known, expected: inLists })
  return { type: result as Results<P>['type'], ofError: ofItem }
}
