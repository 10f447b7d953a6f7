/** A stage: a separate partner for which a writer is called with a list of items. */
import type { Work } from '../../src/kit/runtime.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { awardPoints } from '../../src/points/points.ts'
import type { TestPartner, World } from '../world.ts'

export type Writer = (work: Work, items: never[]) => Promise<unknown[]>

/** A separate partner for each run: in LIVE, because the arena is. */
export type Place = { world: World; partner: TestPartner; tenant: Tenant; game: Game }
export type Game = { id: string }

export type Stage = {
  writer: Writer
  items(place: Place): object[] | Promise<object[]>
  /** The part of an answer that belongs to its item; a session, for example, is in its state after the batch. */
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
