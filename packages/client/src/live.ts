/** Live events from the server, without gaps. */
import type { components } from './generated/events.ts'
import {
  type MatchEventsSubscription,
  matchEvents,
  publishedEvents,
  type UserStatesSubscription,
  userStates,
} from './generated/operations.ts'
import { isLast } from './match-state.ts'
import type { AnySubscribe, Subscribe, SubscribeOptions } from './subscribe.ts'

/**
 * An event of a match. Switch on `__typename` to narrow it. A stream begins with an `ArenaMatchSnapshot`, and ends with
 * `ArenaMatchCompleted` or `ArenaMatchCancelled`, or with a snapshot of a match that is over. A snapshot in between
 * replaces everything before it.
 */
export type MatchEvent = MatchEventsSubscription['arenaMatchEvents']

type Bodies = components['schemas']

/**
 * An event as in webhooks. Switch on `event` to narrow `data`. Later versions of the API may add event types, so ignore
 * unknown ones.
 */
export type PublishedEvent = { [Name in keyof Bodies]: Bodies[Name] & { id: string } }[keyof Bodies]

type FoundUser = NonNullable<UserStatesSubscription['userChanged']['user']>
type Lists = 'goals' | 'streaks' | 'grants' | 'offers'

/** The state of a user, with the items of each list. */
export type LiveUser = Omit<FoundUser, Lists> & {
  readonly [List in Lists]: NonNullable<FoundUser[List]>['nodes']
}

const liveUserOf = ({ goals, streaks, grants, offers, ...user }: FoundUser): LiveUser => ({
  ...user,
  goals: goals?.nodes ?? [],
  streaks: streaks?.nodes ?? [],
  grants: grants?.nodes ?? [],
  offers: offers?.nodes ?? [],
})

type Live = Pick<SubscribeOptions<never, never>, 'signal' | 'onConnection'>

export const createLive = (anySubscribe: AnySubscribe) => {
  const subscribe = anySubscribe as Subscribe
  return {
    /**
     * The events of a match until it ends. After a broken connection, missed events are delivered first.
     * @param options.afterSeq the `seq` of the last event that you have; 0 for the whole match
     */
    watchMatch: async function* (
      matchId: string,
      { afterSeq, ...options }: Live & { afterSeq?: number | undefined } = {},
    ): AsyncGenerator<MatchEvent, void, undefined> {
      const results = subscribe(
        matchEvents,
        { matchId, afterSeq: afterSeq ?? null },
        {
          ...options,
          resume: ({ arenaMatchEvents: event }) => (isLast(event) ? null : { afterSeq: event.seq }),
        },
      )
      for await (const { arenaMatchEvents: event } of results) {
        yield event
        if (isLast(event)) return
      }
    },

    /**
     * The state of a user: at the start, again after each change of points, goals, streaks, grants and offers, and once a
     * minute, because time changes states, too. Each one replaces those before; null while there is no such user. Goes on
     * after a broken connection, until the signal ends it. Needs a secret key, or a public one with a token of the user.
     * @param userId your id of the user
     */
    watchUser: async function* (
      userId: string,
      options: Live = {},
    ): AsyncGenerator<LiveUser | null, void, undefined> {
      const variables = { user: { externalId: userId } }
      const results = subscribe(userStates, variables, { ...options, resume: () => ({}) })
      for await (const { userChanged } of results)
        yield userChanged.user ? liveUserOf(userChanged.user) : null
    },

    /**
     * All events, as in webhooks, in order. Requires a secret key. After a broken connection, missed events are
     * delivered first.
     * @param options.after the id of the last event that you have, of the last 30 days
     * @param options.types names or groups, such as `points.*`; all unless given
     */
    watchEvents: async function* ({
      after,
      types,
      ...options
    }: Live & { after?: string | undefined; types?: string[] | undefined } = {}): AsyncGenerator<
      PublishedEvent,
      void,
      undefined
    > {
      const variables = { afterEventId: after ?? null, names: types ?? null }
      const results = subscribe(publishedEvents, variables, {
        ...options,
        resume: ({ eventPublished: { uuid } }) => ({ afterEventId: uuid }),
      })
      for await (const { eventPublished: event } of results) {
        const { uuid: id, name, payload: data, occurredAt: timestamp } = event
        yield { id, event: name, data, timestamp } as PublishedEvent
      }
    },
  }
}
