/** `docs/errors.md`: every error by what a client does about it. */
import { type ErrorKind, isResultKind } from '../src/kit/error-kinds.ts'
import { type ErrorCode, errorTable } from '../src/kit/errors.ts'

/** What a client does about errors of one kind, and whether the call changed anything. */
type Advice = { retry: string; done: string }

type Group = {
  title: string
  text: string
  has(code: ErrorCode, kind: ErrorKind): boolean
  advice: Advice
}

const isIdempotency = (code: string) => /^IDEMPOTEN/.test(code)
const ofKinds =
  (...kinds: ErrorKind[]) =>
  (_: ErrorCode, kind: ErrorKind) =>
    kinds.includes(kind)

/** In the order of the page. A code is listed in the first group that has it. */
const groups: Group[] = [
  {
    title: 'Load and faults of the server',
    text: 'Repeat these. `Retry-After`, and `extensions.retryAfter` in GraphQL, say when.',
    has: (code, kind) =>
      kind === 'Server' || ['RATE_LIMITED', 'ACCOUNT_LOCKED', 'REQUEST_TIMEOUT'].includes(code),
    advice: { retry: 'after `Retry-After`', done: 'no' },
  },
  {
    title: 'Idempotency-Key',
    text: 'The [guide](graphql.md#idempotency-key) says what to do about each.',
    has: isIdempotency,
    advice: { retry: 'no', done: 'by the first request' },
  },
  {
    title: 'Credentials and rights',
    text: 'The same call succeeds with another key, token, role or environment.',
    has: (code, kind) =>
      kind === 'Authentication' ||
      [
        'CREDENTIALS_MISMATCH',
        'INVALID_ENVIRONMENT',
        'RIGHT_REQUIRED',
        'ADMIN_REQUIRED',
        'OPERATOR_REQUIRED',
        'LIVE_ONLY',
      ].includes(code),
    advice: { retry: 'with another credential', done: 'no' },
  },
  {
    title: 'Requests and documents',
    text: 'The request itself is wrong, whatever the state of the data. Correct it.',
    has: ofKinds('Request', 'Validation'),
    advice: { retry: 'no', done: 'no' },
  },
  {
    title: 'Not found',
    text: 'Something that the input names does not exist, or belongs to somebody else.',
    has: ofKinds('NotFound'),
    advice: { retry: 'no', done: 'no' },
  },
  {
    title: 'Points',
    text: 'The error has the balance and the price.',
    has: ofKinds('InsufficientPoints'),
    advice: { retry: 'when the user has more points', done: 'no' },
  },
  {
    title: 'Done before',
    text: 'An earlier call has done it. If that was a call of yours whose answer was lost, it succeeded.',
    has: ofKinds('DuplicateReference', 'AlreadyDone', 'AlreadyReversed'),
    advice: { retry: 'no', done: 'by an earlier call' },
  },
  {
    title: 'Changed meanwhile',
    text: 'Someone else saved changes first. Read the object again, then decide.',
    has: ofKinds('Conflict'),
    advice: { retry: 'after reading again', done: 'no' },
  },
  {
    title: 'Status',
    text: 'The object is not in a status that allows this.',
    has: ofKinds('NotActive'),
    advice: { retry: 'when its status allows it', done: 'no' },
  },
  {
    title: 'Limits',
    text: 'The error has the limit and the current number, where the caller may know them.',
    has: ofKinds('Limit', 'TooFew'),
    advice: { retry: 'when there is room', done: 'no' },
  },
  {
    title: 'Taken',
    text: 'The error has the field and the value.',
    has: ofKinds('Taken'),
    advice: { retry: 'with another value', done: 'no' },
  },
  {
    title: 'Codes and links',
    text: 'The code, invitation or link cannot be used. A new one can.',
    has: ofKinds('InvalidCode'),
    advice: { retry: 'with another code', done: 'no' },
  },
  {
    title: 'Not allowed',
    text: 'The caller may do such things, but not this one.',
    has: () => true,
    advice: { retry: 'no', done: 'no' },
  },
]

const unknown = 'unknown: read what has changed before you retry'

/** Codes that differ from their group. */
const exceptions: Partial<Record<string, Partial<Advice>>> = {
  INTERNAL: { retry: 'once, with the same `reference`', done: unknown },
  TRACK_USER_FAILED: { retry: 'once', done: unknown },
  TRACK_EVENT_FAILED: { retry: 'once, with the same `reference`', done: unknown },
  TIMELINE_FAILED: { retry: 'once' },
  REQUEST_TIMEOUT: { retry: 'at once' },
  UNAVAILABLE: {
    done: 'no; if the message says that the outcome is unknown, read what has changed, or repeat it with the same `reference`',
  },
  IDEMPOTENCY_KEY_INVALID: { retry: 'with another key', done: 'no' },
  IDEMPOTENCY_KEY_NOT_ALLOWED: { retry: 'without a key', done: 'no' },
  IDEMPOTENCY_KEY_REUSED: { retry: 'with another key', done: 'no' },
  IDEMPOTENT_REQUEST_IN_PROGRESS: { retry: 'with the same key, in a second', done: 'not yet' },
  IDEMPOTENT_OUTCOME_UNKNOWN: { done: 'unknown' },
  WRONG_CELL: { retry: 'at the cell that `cell` names' },
  PERSISTED_QUERY_NOT_FOUND: { retry: 'with the text of the document' },
}

const rowOf = (code: ErrorCode, advice: Advice) => {
  const { status, kind, message, isOfRest } = errorTable[code]
  const { retry, done } = { ...advice, ...exceptions[code] }
  const type = isResultKind(kind) && !isOfRest ? `\`${kind}Error\`` : ''
  return `| \`${code}\` | ${status} | ${type} | ${retry} | ${done} | ${message} |`
}

const groupText = ({ title, text, advice }: Group, codes: ErrorCode[]) => `## ${title}

${text}

| errorCode | Status | GraphQL type | Retry? | Was anything done? | Message |
|---|---|---|---|---|---|
${codes
  .sort()
  .map((code) => rowOf(code, advice))
  .join('\n')}
`

export const errorsText = (): string => {
  const codes = Object.keys(errorTable) as ErrorCode[]
  const byGroup = Map.groupBy(codes, (code) =>
    groups.find(({ has }) => has(code, errorTable[code].kind)),
  )
  const texts = groups.flatMap((group) => {
    const members = byGroup.get(group)
    return members ? [groupText(group, members)] : []
  })
  return `# Errors

Every error is \`{message, code, status: "error", errorCode, requestId}\`, with \`errors: [{field, code,
message}]\` if fields are invalid. With \`Accept: application/problem+json\` it is RFC 9457. GraphQL
has the same codes: the enum \`ErrorCode\` is \`code\` of the error types and of \`extensions\`. If a mutation
lists a code, its result is of the GraphQL type below, which has the data that a client needs. All other errors are in
\`errors\`, with \`extensions {code errors retryAfter hint cell}\`.

\`code\` is for programs. \`message\` and \`hint\` are for the developer who reads them, and their text may change. \`hint\` is there
only if the server can tell what was meant: a secret key that was sent as \`X-API-Key\` gets \`INVALID_API_KEY\` with a hint that names
its header.

"Retry?" says whether the same call can succeed later; "no" means that something must be changed first. "Was anything done?" is
about the call that got the error, in GraphQL about the field or mutation that it belongs to; the others of the same operation have results of their own.

A key or token of another [cell](scale.md) gets \`WRONG_CELL\` with the message of an invalid one, such as
\`Invalid API key\`. The name of its cell is \`cell\` of the body, and \`extensions.cell\` in GraphQL.

${texts.join('\n')}`
}
