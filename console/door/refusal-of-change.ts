import { RequestError } from '../client/request.ts'
import type { SessionRefusal } from '../client/session.ts'

/** Runs a change for somebody who is not signed in. Returns null on success, or the reason for a refusal. */
export const refusalOfChange = async (
  change: () => Promise<SessionRefusal | null>,
): Promise<SessionRefusal | null> => {
  try {
    return await change()
  } catch (cause) {
    if (cause instanceof RequestError) return cause
    throw cause
  }
}
