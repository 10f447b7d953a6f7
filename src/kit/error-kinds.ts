/** The kinds of errors, by the data that they carry. */

/** The types of fields. `?` is for a field that may be null. */
type Types = { Int: number; SafeInt: number; String: string; DateTime: Date }
export type Field = readonly [type: keyof Types | `${keyof Types}?`, description: string]

/**
 * The kinds of errors that a mutation can have as a result. Each is one GraphQL type: `Limit` is `LimitError`. Domains
 * add fields with their entities.
 */
export const errorKinds = {
  Validation: { description: 'The input is invalid.', fields: {} },
  NotFound: { description: 'Something that the input names was not found.', fields: {} },
  InsufficientPoints: {
    description: 'The user has too few points.',
    fields: {
      balance: ['SafeInt', "The user's balance, which is below the price."],
      price: ['SafeInt', 'What it would have cost.'],
    },
  },
  DuplicateReference: {
    description: 'The reference was used before. Nothing was done.',
    fields: {},
  },
  AlreadyReversed: {
    description: 'The ledger entry was reversed before. Nothing was done.',
    fields: {},
  },
  Limit: {
    description: 'A limit would be exceeded.',
    fields: {
      limit: ['SafeInt?', 'The limit; null if the caller may not see it.'],
      current: ['SafeInt?', 'The current count; null if unknown.'],
    },
  },
  TooFew: {
    description: 'There are too few of something.',
    fields: {
      minimum: ['Int', 'How many it takes.'],
      current: ['Int', 'How many there are.'],
    },
  },
  NotActive: {
    description: 'The operation is not possible in the current status.',
    fields: {
      status: ['String?', 'The status, as a value of its enum; null if the object does not exist.'],
      since: ['DateTime?', 'When it took this status; null if unknown.'],
    },
  },
  Taken: {
    description: 'The value is already taken.',
    fields: {
      value: ['String', 'The value that is taken.'],
    },
  },
  AlreadyDone: {
    description: 'It can be done only once, and has already been done.',
    fields: { doneAt: ['DateTime?', 'When it was done; null if unknown.'] },
  },
  InvalidCode: {
    description: 'The code is not valid, or no longer valid.',
    fields: { since: ['DateTime?', 'When it stopped being valid; null if it never was.'] },
  },
  Conflict: {
    description: 'Somebody else has changed the object. Nothing was done.',
    fields: {
      expectedVersion: ['Int?', 'The version that you saw; null for the terms of a game.'],
      currentVersion: [
        'Int?',
        'The version now; 0 if it does not exist, and null for the terms of a game.',
      ],
    },
  },
  NotAllowed: { description: 'The caller may not do this.', fields: {} },
  RightRequired: { description: 'The caller lacks a right.', fields: {} },
  Authentication: { description: 'The credentials are wrong or insufficient.', fields: {} },
} as const satisfies Record<string, { description: string; fields: Record<string, Field> }>

type Kinds = typeof errorKinds

/** A kind of errors that can be results. */
export type ResultKind = keyof Kinds

/** Errors of the whole request and server faults are not results. */
export type ErrorKind = ResultKind | 'Request' | 'Server'

export const isResultKind = (kind: ErrorKind): kind is ResultKind => Object.hasOwn(errorKinds, kind)

type ValueOf<T> = T extends `${infer N extends keyof Types}?`
  ? Types[N] | null
  : T extends keyof Types
    ? Types[T]
    : never

/** The values of the fields of a kind. */
export type FieldsOf<K extends ErrorKind> = K extends ResultKind
  ? { -readonly [F in keyof Kinds[K]['fields']]: ValueOf<(Kinds[K]['fields'][F] & Field)[0]> }
  : Record<never, never>
