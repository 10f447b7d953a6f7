import type { Environment } from '../environment.ts'
import type { Operation } from '../operation.ts'
import { RequestError, requestWithId } from './request.ts'

type FieldError = { readonly path: readonly string[]; readonly message: string }

type Refused = {
  code: string
  message: string
  fieldErrors?: readonly FieldError[]
  takenPath?: readonly string[] | null
  currentVersion?: number | null
  current?: unknown
}

/** A change that the server refused, with the errors of its fields. */
export class ChangeError extends RequestError {
  readonly fields: readonly FieldError[]
  constructor({ code, message, fieldErrors, takenPath }: Refused, requestId: string | null) {
    super(message, code, requestId)
    this.fields = fieldErrors ?? (takenPath ? [{ path: takenPath, message }] : [])
  }
}

/** A version conflict: somebody else has changed the object. Nothing was written. */
export class ConflictRefusal extends ChangeError {
  /** 0 if it no longer exists. */
  readonly currentVersion: number
  /** The current object, as far as the mutation selects it; null if it no longer exists. */
  readonly current: unknown
  constructor(refused: Refused & { currentVersion: number }, requestId: string | null) {
    super(refused, requestId)
    this.currentVersion = refused.currentVersion
    this.current = refused.current ?? null
  }
}

const isRefused = (result: unknown): result is Refused =>
  typeof result === 'object' && result !== null && 'code' in result && 'message' in result

const errorOf = ({ currentVersion, ...refused }: Refused, requestId: string | null) =>
  currentVersion == null
    ? new ChangeError(refused, requestId)
    : new ConflictRefusal({ ...refused, currentVersion }, requestId)

/** The payload of a successful mutation. */
export type ChangedOf<Data> = Exclude<Data[keyof Data], { readonly code: unknown }>

/**
 * Runs a mutation of one field, which selects `code` and `message` of errors.
 * @throws ChangeError when it is refused; RequestError
 */
export const makeChange = async <Data extends object, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  environment: Environment,
): Promise<ChangedOf<Data>> => {
  const { data, requestId } = await requestWithId(operation, variables, environment)
  const [result] = Object.values(data)
  if (isRefused(result)) throw errorOf(result, requestId)
  return result as ChangedOf<Data>
}
