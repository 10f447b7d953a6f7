/** The errors of a route in the OpenAPI document. */
import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { type GraphQLSchema, Kind } from 'graphql'
import type { Access } from '../kit/access/context.ts'
import { type ErrorCode, errorTable } from '../kit/errors.ts'
import type { Json } from './answer-schema.ts'
import { type Route, variantsOf } from './route.ts'
import { operationOf } from './variables.ts'

const keyErrors: ErrorCode[] = [
  'INVALID_API_KEY',
  'WRONG_CELL',
  'API_KEY_REVOKED',
  'RIGHT_REQUIRED',
  'APPLICATION_NOT_ACTIVE',
  'PARTNER_NOT_FOUND',
]
const memberErrors: ErrorCode[] = [
  'INVALID_BEARER_TOKEN',
  'WRONG_CELL',
  'PARTNER_NOT_FOUND',
  'INVALID_ENVIRONMENT',
]

/** Errors that many routes share, by what causes them. */
const shared = {
  PublicKey: [
    'MISSING_API_KEY',
    ...keyErrors,
    'INVALID_USER_TOKEN',
    'MISSING_USER_TOKEN',
    'USER_TOKEN_OF_ANOTHER',
  ],
  SecretKey: ['MISSING_API_SECRET', ...keyErrors],
  Member: [...memberErrors, 'RIGHT_REQUIRED'],
  Operator: [...memberErrors, 'ADMIN_REQUIRED'],
  Body: ['VALIDATION_FAILED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  Parameters: ['INVALID_PARAMETERS'],
  Idempotency: [
    'IDEMPOTENT_REQUEST_IN_PROGRESS',
    'IDEMPOTENT_OUTCOME_UNKNOWN',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  Load: ['RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE'],
} satisfies Record<string, ErrorCode[]>

/** The errors of callers without access. */
const accessErrors: Record<Access, ErrorCode[]> = {
  public: shared.PublicKey,
  secret: shared.SecretKey,
  member: shared.Member,
  operator: shared.Operator,
  anyone: [],
}

/** The errors that the mutation of a route declares. */
const refusalsOf = (schema: GraphQLSchema, route: Route): ErrorCode[] =>
  variantsOf(route).flatMap(({ operation }) => {
    const [field] = operationOf(operation).selectionSet.selections
    const name = field?.kind === Kind.FIELD ? field.name.value : ''
    const { errors } = schema.getMutationType()?.getFields()[name]?.extensions ?? {}
    return (errors as ErrorCode[] | undefined) ?? []
  })

const errorsOf = (schema: GraphQLSchema, route: Route, hasBody: boolean): ErrorCode[] => {
  const codes: ErrorCode[] = [
    ...accessErrors[route.key],
    ...(route.takesSecret ? (['CREDENTIALS_MISMATCH'] as const) : []),
    ...(hasBody ? shared.Body : []),
    ...(route.list ? shared.Parameters : []),
    ...(route.method === 'POST' ? shared.Idempotency : []),
    ...refusalsOf(schema, route)
      .filter((code) => !route.never.includes(code))
      .map((code) => route.folds[code] ?? code),
    ...route.errors,
    ...shared.Load,
  ]
  return [...new Set(codes)]
}

const byStatus = (codes: ErrorCode[]) => Map.groupBy(codes, (code) => errorTable[code].status)

const describe = (codes: ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n')

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** Shared answers, with names such as `SecretKeyUnauthorized`. */
const sharedAnswers = Object.entries<ErrorCode[]>(shared).flatMap(([cause, codes]) =>
  [...byStatus(codes)].map(([status, group]) => ({
    name: `${cause}${STATUS_CODES[status]?.replaceAll(' ', '')}`,
    codes: group,
  })),
)

const sharedCodes = new Set<ErrorCode>(Object.values(shared).flat())

/** The answers of errors, as components of the document. */
export const errorComponents: Json = {
  Error: { description: 'The error of a request.', content },
  ...Object.fromEntries(
    sharedAnswers.map(({ name, codes }) => [name, { description: describe(codes), content }]),
  ),
}

/** The answer of these errors of a route: a shared one, or one that also names the codes of shared ones. */
const answerTo = (codes: ErrorCode[]): Json => {
  const known = sharedAnswers.find((answer) => isDeepStrictEqual(answer.codes, codes))
  if (known) return { $ref: `#/components/responses/${known.name}` }
  const others = codes.filter((code) => sharedCodes.has(code)).map((code) => `\`${code}\``)
  const own = describe(codes.filter((code) => !sharedCodes.has(code)))
  return {
    $ref: '#/components/responses/Error',
    description: [own, others.join(', ')].filter(Boolean).join('\n\n'),
  }
}

/** The answers of the errors of a route, by status. */
export const errorAnswers = (schema: GraphQLSchema, route: Route, hasBody: boolean): Json =>
  Object.fromEntries(
    [...byStatus(errorsOf(schema, route, hasBody))].map(([status, codes]) => [
      status,
      answerTo(codes),
    ]),
  )
