/** What the items of group commit wait for when a row is locked. */
import type { Needs } from '../kit/group-commit/busy-items.ts'
import type { Work } from '../kit/runtime.ts'
import { selectLockedUsers } from './end-user.sql.ts'
import { nameOf, storableKeys, type UserKey } from './end-user.ts'

/** The fields of items that name users. */
const userFields = ['externalId', 'referrer', 'referee'] as const
/** The fields that name what else is locked: a campaign, a lottery, a session, … The first that an item has counts. */
const placeFields = [
  'slug',
  'lotterySlug',
  'sessionId',
  'gameId',
  'agentId',
  'ledgerEntryId',
  'endpointId',
] as const

type Item = Partial<Record<string, unknown>>

/** The users whose wallets an item needs. */
const usersOf = (item: Item): UserKey[] => {
  const { partnerId, environment } = item as UserKey
  return userFields.flatMap((field) =>
    typeof item[field] === 'string'
      ? [{ partnerId, environment, externalId: item[field] as UserKey['externalId'] }]
      : [],
  )
}

export const needsOf = (item: unknown): Needs => {
  const { delivery, ...own } = item as Item & { delivery?: Item }
  const fields: Item = { ...delivery, ...own }
  const wallets = [...new Set(usersOf(fields).map(nameOf))]
  const field = placeFields.find((name) => typeof fields[name] === 'string')
  const partner = fields.partnerId ?? ''
  const place = field && JSON.stringify([partner, fields.environment ?? null, field, fields[field]])
  return { wallets, place: place ?? wallets[0] ?? String(partner) }
}

/** For each item, whether one of its wallets is locked now. */
export const findLocked = async ({ tx }: Work, items: unknown[]): Promise<boolean[]> => {
  const keys = items.flatMap((item, n) => usersOf(item as Item).map((key) => ({ ...key, item: n })))
  const locked = items.map(() => false)
  if (keys.length === 0) return locked
  for (const { n } of await selectLockedUsers(tx, storableKeys(keys)))
    locked[keys[n]?.item as number] = true
  return locked
}
