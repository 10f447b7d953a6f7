/** Decides where operations read. Only queries may use the standby, because nothing is written by what they read. */
import { type Context, isGoodCaller } from '../context.ts'
import type { Runtime } from '../runtime.ts'
import type { Author } from './recent-writes.ts'

const authorsOf = ({ callers }: Context): Author[] =>
  Object.values(callers)
    .filter(isGoodCaller)
    .map((caller) => ({
      id: caller.kind === 'member' ? caller.memberId : caller.keyId,
      partnerId: caller.partnerId,
      environment: caller.environment,
    }))

/** Makes a query read from the standby if its callers would see there what they have written. */
export const routeReads = async (context: Context): Promise<void> => {
  const { replica, readStandby, db, tx, read } = context
  if (!(await replica?.admits(authorsOf(context)))) return
  primaries.set(context, { db, tx, read })
  const standby = (replica as NonNullable<typeof replica>).db
  Object.assign(context, { db: standby, tx: standby, read: readStandby })
}

/** The access to the primary of contexts whose reads were routed to the standby. */
const primaries = new WeakMap<Context, Pick<Context, 'db' | 'tx' | 'read'>>()

/**
 * Makes the rest of a query read from the primary. The feed of events has to: its horizon follows from open
 * transactions, which a standby does not know.
 */
export const usePrimary = (context: Context): void =>
  void Object.assign(context, primaries.get(context))

/** Must be awaited before a mutation is answered, even if it failed: a part of it may have been written. */
export const noteMutation = async (context: Context): Promise<void> =>
  context.replica?.noteWrite(authorsOf(context))

/** Reads the identity of a caller: from the primary, or from the standby while that serves alone. */
export const readIdentity = <T, R>(
  runtime: Pick<Runtime, 'read' | 'readStandby' | 'replica'>,
  reader: Parameters<typeof runtime.read<T, R>>[0],
  item: T,
): Promise<R> =>
  runtime.replica?.isAlone() ? runtime.readStandby(reader, item) : runtime.read(reader, item)
