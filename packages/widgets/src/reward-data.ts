/** Rewards for sale and those of a user as the API sends them, and what widgets make of them. */
import { type GivenReward, type Grant, grantsAfter, isClaimable } from './goal-data.ts'
import type { GameType, Wallet } from './plays.ts'
import type { Problem } from './problem.ts'
import { payloadOf, type Result, type Session } from './session.ts'
import {
  buyMutation,
  openRewardsQuery,
  revealCodeMutation,
  rewardsQuery,
  shopQuery,
} from './shop-documents.ts'
import type { Say } from './texts.ts'
import type { Followed } from './user-state.ts'

type UnavailableReason =
  | 'NOT_FOR_SALE'
  | 'NOT_STARTED'
  | 'ENDED'
  | 'NOT_ELIGIBLE'
  | 'LIMIT_REACHED'
  | 'OUT_OF_STOCK'
  | 'INSUFFICIENT_POINTS'

export type Availability = {
  canBuy: boolean
  reason: UnavailableReason | null
  missingPoints: number
  nextAt: string | null
}

export type SoldReward = GivenReward & {
  slug: string
  price: number
  endsAt: string | null
  freePlays: { gameType: GameType; count: number } | null
  limit: { max: number; window: 'EVER' | 'DAY' | 'WEEK' | 'MONTH' } | null
  /** Null for a user whom the API does not know; undefined for a visitor. */
  availability?: Availability | null
}

export type RewardGrant = Grant & {
  price: number | null
  createdAt: string
  fulfilledAt: string | null
  failure: 'OUT_OF_STOCK' | 'NOT_FULFILLED' | null
  /** What the user reads from who handed it out. */
  message: string | null
  /** Null until it is shown, and for other kinds. */
  code: string | null
  gameType: GameType | null
  freePlaysLeft: number | null
  playableUntil: string | null
}

/** What changes of a grant that the user has. */
export type RewardChange = Pick<RewardGrant, 'uuid' | 'status' | 'freePlaysLeft'>

type Page<N> = { nodes: N[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

/** A part of a list. */
export type Items<N> = {
  items: N[]
  /** Where the list goes on; null at its end. */
  after: string | null
}

/** The most items of a page of the API. */
const maxPage = 100

/** Reads a list up to a number of items, page by page, from a cursor on. */
const readItems = async <N>(
  count: number,
  from: string | null,
  read: (first: number, after: string | null) => Promise<Page<N>>,
): Promise<Items<N>> => {
  const items: N[] = []
  let after = from
  do {
    const { nodes, pageInfo } = await read(Math.min(maxPage, count - items.length), after)
    items.push(...nodes)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null && items.length < count)
  return { items, after }
}

/** What is for sale, in the order of the shop, with what the user can buy if there is a token of the user. */
export const readShop = async (
  session: Session,
  count: number,
  from: string | null = null,
): Promise<Items<SoldReward>> => {
  const isBuyer = session.hasToken
  const externalId = isBuyer ? await session.userId() : ''
  return readItems(count, from, async (first, after) => {
    const variables = { externalId, isBuyer, first, after }
    return (await session.ask<{ list: Page<SoldReward> }>(shopQuery, variables)).list
  })
}

const noPage = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }

type UserList = { user: { list: Page<RewardGrant> } | null }

/** The items, codes and free plays that the user has got, newest first. */
export const readRewards = async (
  session: Session,
  count: number,
  from: string | null = null,
): Promise<Items<RewardGrant>> => {
  const externalId = await session.userId()
  return readItems(count, from, async (first, after) => {
    const variables = { externalId, first, after }
    return (await session.ask<UserList>(rewardsQuery, variables)).user?.list ?? noPage
  })
}

/** What the user can claim, or gets later, newest first. */
export const readOpenRewards = async (session: Session): Promise<RewardGrant[]> => {
  const externalId = await session.userId()
  return (await session.ask<UserList>(openRewardsQuery, { externalId })).user?.list.nodes ?? []
}

/** Whether it is shown: badges have a widget of their own, and what was not claimed in time is gone. */
export const isOpen = (grant: RewardGrant): boolean =>
  grant.reward.kind !== 'BADGE' &&
  (grant.status === 'HELD' || !grant.needsClaim || isClaimable(grant))

/** What is open after a change; null if it has to be read again. */
export const openAfter = grantsAfter<RewardGrant>

const endStatuses = ['ISSUED', 'FULFILLED', 'FAILED', 'CANCELLED']

/** Whether what is shown is what a state has, as far as both go. */
export const isUpToDate = (
  { items, after }: Items<RewardGrant>,
  { nodes, pageInfo }: Followed<RewardChange>,
): boolean => {
  const now = nodes.filter(({ status }) => endStatuses.includes(status))
  const isSame = ({ uuid, status, freePlaysLeft }: RewardChange, shown: RewardGrant) =>
    uuid === shown.uuid && status === shown.status && freePlaysLeft === shown.freePlaysLeft
  const both = Math.min(items.length, now.length)
  if (!now.slice(0, both).every((item, n) => isSame(item, items[n] as RewardGrant))) return false
  if (pageInfo.hasNextPage) return true
  return after === null ? now.length === items.length : now.length >= items.length
}

/** What a user is told who has a token, and is not known yet: nobody has points before. */
const unknownUser = (price: number): Availability => ({
  canBuy: false,
  reason: 'INSUFFICIENT_POINTS',
  missingPoints: price,
  nextAt: null,
})

/** Whether the user can buy it; undefined for a visitor. */
export const availabilityOf = ({ availability, price }: SoldReward): Availability | undefined =>
  availability === null ? unknownUser(price) : availability

/**
 * Buys a reward. With the same reference it buys once, however often it is sent.
 * @returns the id of the grant. The balance is that after the purchase then.
 * @throws Problem
 */
export const buyReward = async (
  session: Session,
  { rewardId, reference }: { rewardId: string; reference: string },
  onWait: (problem: Problem) => void,
): Promise<string> => {
  type Data = { result: Result<{ grant: { uuid: string }; user: Wallet }> }
  const variables = { externalId: await session.userId(), rewardId, reference }
  const sending = { key: crypto.randomUUID(), onWait }
  const { result } = await session.ask<Data>(buyMutation, variables, sending)
  const { grant, user } = payloadOf(result)
  session.setWallet(user)
  return grant.uuid
}

/** Shows the code of a grant to its user. @throws Problem */
export const revealCode = async (
  session: Session,
  grantId: string,
  onWait: (problem: Problem) => void,
): Promise<string> => {
  type Data = { result: Result<{ grant: { code: string | null } }> }
  const variables = { externalId: await session.userId(), grantId }
  const sending = { key: crypto.randomUUID(), onWait }
  const { result } = await session.ask<Data>(revealCodeMutation, variables, sending)
  return payloadOf(result).grant.code ?? ''
}

/** Free plays that can be used. */
export const playsLeftOf = ({ freePlaysLeft, playableUntil, status }: RewardGrant): number => {
  const hasEnded = playableUntil !== null && Date.parse(playableUntil) <= Date.now()
  return hasEnded || status !== 'ISSUED' ? 0 : (freePlaysLeft ?? 0)
}

const dayMs = 24 * 3_600_000

/** The number of midnights until a time, in the time zone of the browser. */
const nightsUntil = (at: Date): number => {
  const midnight = (date: Date) => new Date(date).setHours(0, 0, 0, 0)
  return Math.round((midnight(at) - midnight(new Date())) / dayMs)
}

/** A time ahead, such as `tomorrow at 9:00 AM`, `Friday at 9:00 AM`, or with the date if it is further away. */
export const whenOf = (say: Say, at: string): string => {
  const nights = nightsUntil(new Date(at))
  if (nights > 6) return say.date(at, { dateStyle: 'medium', timeStyle: 'short' })
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  if (nights > 1) return say.date(at, { weekday: 'long', ...clock })
  const day = new Intl.RelativeTimeFormat(say.locale, { numeric: 'auto' }).format(nights, 'day')
  return say.text('dayAt', { day, time: say.date(at, clock) })
}
