/** A stage: a partner of its own on which a writer is asked for a list of things. */
import type { Work } from '../../src/core/runtime.ts'
import type { Tenant } from '../../src/core/tenant.ts'
import { awardPoints } from '../../src/points/points.ts'
import type { TestPartner, World } from '../world.ts'

export type Writer = (work: Work, items: never[]) => Promise<unknown[]>

/** A partner of its own for each run: in LIVE, because the arena is. */
export type Place = { world: World; partner: TestPartner; tenant: Tenant; game: Game }
export type Game = { id: string }

export type Stage = {
  writer: Writer
  items(place: Place): object[] | Promise<object[]>
  /** What of an answer belongs to its item; a session is shown to all in its state after the batch. */
  shown?(answer: never): unknown
}

export const good = <T>(results: (T | Error)[]): T[] =>
  results.map((result) => {
    if (result instanceof Error) throw result
    return result
  })

export const award = async ({ world, tenant }: Place, userIds: string[], eventType = 'signup') =>
  good(
    await awardPoints(
      world.runtime,
      userIds.map((name) => ({ ...world.userKey(name, tenant), eventType })),
    ),
  )
