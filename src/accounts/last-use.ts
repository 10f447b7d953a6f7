/**
 * Records when API keys and console sign-ins were last used. A node keeps the times in memory and writes them once a
 * minute, with one statement for each kind.
 */
import { periodically } from '../kit/clock.ts'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'
import { updateKeyUses, updateSignInUses } from './last-use.sql.ts'

const writeEveryMs = 60_000

const updates = { 'API keys': updateKeyUses, 'sign-ins': updateSignInUses }
type Kind = keyof typeof updates

const usesOf = singleton(
  'last uses',
  (): Record<Kind, Map<string, Date>> => ({ 'API keys': new Map(), 'sign-ins': new Map() }),
)

/** Records that a key or sign-in is used now. */
export const noteUse = (
  runtime: Pick<Runtime, 'clock' | 'singletons'>,
  kind: Kind,
  id: string,
): void => {
  usesOf(runtime)[kind].set(id, runtime.clock())
}

const writeUsesOf = async (runtime: Runtime, kind: Kind): Promise<void> => {
  const uses = usesOf(runtime)[kind]
  if (uses.size === 0) return
  const noted = [...uses]
  uses.clear()
  try {
    await updates[kind](
      runtime.db,
      noted.map(([id, usedAt]) => ({ id, usedAt })),
    )
  } catch (err) {
    for (const [id, usedAt] of noted) if (!uses.has(id)) uses.set(id, usedAt)
    runtime.log.warn({ err }, `cannot record when ${kind} were used`)
  }
}

/** Writes the recorded times. Times that cannot be written are kept, unless a later one is recorded. */
export const writeUses = async (runtime: Runtime): Promise<void> => {
  await writeUsesOf(runtime, 'API keys')
  await writeUsesOf(runtime, 'sign-ins')
}

/** Writes the recorded times once a minute. Returns the function that writes the rest and stops. */
export const startUses = (runtime: Runtime): (() => Promise<void>) =>
  periodically(writeEveryMs, () => writeUses(runtime))
