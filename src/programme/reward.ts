/** Rewards: what a partner gives to users. */
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Reward, Segment } from '../generated/prisma/client.ts'
import { GameType, LimitWindow, RewardKind } from '../generated/prisma/enums.ts'
import { inTransaction } from '../kit/database/db.ts'
import { refuseDuplicateKey } from '../kit/database/outage.ts'
import { acrossTenants, ofTenant, ofTenants } from '../kit/database/tenant-client.ts'
import { refused, TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import { nodeId, oneKey } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { httpsUrl, integer, maxPoints, moment, oneOf, text, title } from '../kit/validation.ts'
import { lockRewards } from './reward.sql.ts'

const name = () => title(100).describe('The name that users read.')

/** The format of a slug. */
const slugFormat = /^[a-z\d]+(-[a-z\d]+)*$/

const slug = () =>
  text(64).regex(
    slugFormat,
    'must be lower-case letters and digits in words joined by single hyphens',
  )

/** The slug of a name; undefined if it has neither letters from a to z nor digits. */
const slugOf = (name: string): string | undefined =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z\d]+/g)
    ?.join('-')
    .slice(0, 64)
    .replace(/-$/, '')

const points = () => integer(1, maxPoints).nullish()
const price = () =>
  integer(1, maxPoints)
    .nullish()
    .describe('Points for which users buy it. Null: it is not for sale. Not for points.')

const RewardFreePlays = z
  .object({
    gameType: oneOf('GameType', GameType).describe('The game that a grant gives plays of.'),
    count: integer(1, 100).describe('The number of plays that a grant gives.'),
    validDays: integer(1, 366)
      .nullish()
      .describe('For how many days from when it is issued. No end by default.'),
  })
  .meta({ graphql: 'RewardFreePlaysInput' })
  .describe('Plays of a game that cost nothing.')

const RewardLimit = z
  .object({
    max: integer(1, 1_000_000).describe('How often a user may buy it in the window.'),
    window: oneOf('LimitWindow', LimitWindow).describe(
      "In which time, by the calendar of the user's time zone.",
    ),
  })
  .meta({ graphql: 'RewardLimitInput' })
  .describe('How often a user may buy a reward.')

const optionalFields = {
  description: text(2000).nullish().describe('What users read about it.'),
  imageUrl: httpsUrl().nullish().describe('URL of a picture, https.'),
  stock: integer(0, maxPoints)
    .nullish()
    .describe(
      'The largest number of grants. Null for no limit. Not for codes: their number is the stock.',
    ),
  price: price(),
  limit: RewardLimit.nullish().describe('How often a user may buy it. Null for no limit.'),
  segmentId: nodeId('Segment')
    .nullish()
    .describe('The segment whose users may buy it. Null for all users.'),
  startsAt: moment().nullish().describe('From when it is for sale. Null for no limit.'),
  endsAt: moment().nullish().describe('Until when it is for sale. Null for no limit.'),
}

const position = () => integer(0, 1_000_000).nullish()

type Refuse = (field: string, message: string) => void

/** What a reward of a kind must have, or must not. */
const checkKind = (
  reward: {
    kind: RewardKind
    points?: number | null | undefined
    freePlays?: object | null | undefined
    stock?: number | null | undefined
    price?: number | null | undefined
    startsAt?: Date | null | undefined
    endsAt?: Date | null | undefined
  },
  refuse: Refuse,
): void => {
  const { kind, points, freePlays, stock, price, startsAt, endsAt } = reward
  const isFor = (field: string, value: unknown, of: RewardKind, name: string) => {
    if ((kind === of) === (value != null)) return
    refuse(field, kind === of ? 'is required' : `must not be given except for ${name}`)
  }
  isFor('points', points, 'POINTS', 'points')
  isFor('freePlays', freePlays, 'FREE_PLAYS', 'free plays')
  if (kind === 'CODE' && stock != null)
    refuse('stock', 'must not be given for codes: their number is the stock')
  if (kind === 'POINTS' && price != null) refuse('price', 'must not be given for points')
  if (startsAt && endsAt && endsAt <= startsAt) refuse('endsAt', 'must be after startsAt')
}

export const CreateReward = z
  .object({
    slug: slug()
      .nullish()
      .describe(
        'What you call it. Unique, also among archived rewards. Defaults to the words of the name.',
      ),
    name: name(),
    kind: oneOf('RewardKind', RewardKind).describe('What it gives. It does not change.'),
    points: points().describe('Points that a grant pays. Required for POINTS, and only for them.'),
    freePlays: RewardFreePlays.nullish().describe(
      'What a grant gives. Required for FREE_PLAYS, and only for them.',
    ),
    ...optionalFields,
    position: position().describe('Its place in the shop. Defaults to 0.'),
  })
  .superRefine((reward, ctx) => {
    const refuse: Refuse = (field, message) =>
      ctx.addIssue({ code: 'custom', path: [field], message })
    checkKind(reward, refuse)
    if (reward.slug == null && reward.name.trim() !== '' && slugOf(reward.name) === undefined)
      refuse('slug', 'is required, because the name has neither letters from a to z nor digits')
  })
  .describe('Something to give or to sell to users.')

type Changes = Omit<z.output<typeof UpdateReward>, 'reward' | 'slug' | 'name'>

/** The columns of what was given. What is undefined stays undefined. */
const columnsOf = ({ limit, freePlays, position, points, ...columns }: Partial<Changes>) => ({
  ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)),
  ...(points != null && { points }),
  ...(position != null && { position }),
  ...(limit !== undefined && { limitMax: limit?.max ?? null, limitWindow: limit?.window ?? null }),
  ...(freePlays && {
    gameType: freePlays.gameType,
    freePlays: freePlays.count,
    validDays: freePlays.validDays ?? null,
  }),
})

/**
 * Refuses a segment that filters by what public keys can set: it proves nothing where something of value is given.
 * @throws TesseraError VALIDATION_FAILED
 */
export const refuseUnprovenSegment = ({ country, device, source, ...segment }: Segment): void => {
  const seen = segment.seenFrom ?? segment.seenTo ?? segment.seenDaysMin ?? segment.seenDaysMax
  if ((country ?? device ?? source ?? seen) !== null)
    throw refused(
      'segmentId',
      'must not filter by country, device, source or when users were last seen where something is given or sold: public keys can set them',
    )
}

/** @throws TesseraError SEGMENT_NOT_FOUND, VALIDATION_FAILED for a segment that public keys decide */
const checkSegment = async (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  segmentId: string | null | undefined,
): Promise<void> => {
  if (segmentId == null) return
  const segment = await ofTenant(tx, tenant).segment.findFirst({ where: { id: segmentId } })
  if (!segment) throw new TesseraError('SEGMENT_NOT_FOUND')
  refuseUnprovenSegment(segment)
}

/** @throws TesseraError REWARD_SLUG_TAKEN, SEGMENT_NOT_FOUND, VALIDATION_FAILED for a segment that public keys decide */
export const createReward = async (
  { tx, clock }: Work,
  {
    partnerId,
    environment,
    slug: given,
    name,
    kind,
    ...reward
  }: Tenant & z.output<typeof CreateReward>,
): Promise<Reward> => {
  const now = clock()
  const tenant = { partnerId, environment }
  await checkSegment({ tx }, tenant, reward.segmentId)
  const slug = given ?? (slugOf(name) as string)
  const of = { id: uuid(), slug, name, kind, createdAt: now, updatedAt: now }
  return ofTenant(tx, tenant)
    .reward.create({ data: { ...of, ...columnsOf(reward), ...(kind === 'CODE' && { stock: 0 }) } })
    .catch(refuseDuplicateKey('REWARD_SLUG_TAKEN', 'slug', slug))
}

export const RewardBy = oneKey({
  id: nodeId('Reward').describe('The global id or the UUID.'),
  slug: text(64).describe('The slug.'),
})
  .meta({ graphql: 'RewardBy' })
  .describe('Exactly one key of a reward.')

export type RewardBy = z.output<typeof RewardBy>

/** The reward that a caller names, or null. */
export const findReward = (
  { tx }: Pick<Work, 'tx'>,
  tenant: Tenant,
  by: RewardBy,
): Promise<Reward | null> => ofTenant(tx, tenant).reward.findFirst({ where: by })

/** The rewards that callers name, in one statement; null for those that do not exist. */
export const findRewardsBy = async (
  { tx }: Pick<Work, 'tx'>,
  requested: (Tenant & { reward: RewardBy })[],
): Promise<(Reward | null)[]> => {
  const found = await ofTenants(tx, requested, ({ reward: { id, slug } }) =>
    id === undefined ? { slug } : { id },
  ).reward.findMany({})
  return requested.map(({ reward: by, partnerId, environment }) => {
    const isNamed = ({ id, slug, ...of }: Reward) =>
      (by.id === undefined ? slug === by.slug : id === by.id) &&
      of.partnerId === partnerId &&
      of.environment === environment
    return found.find(isNamed) ?? null
  })
}

export const UpdateReward = z
  .object({
    reward: RewardBy.describe('The reward, by id or slug.'),
    slug: slug().nullish().describe('What you call it.'),
    name: name().nullish(),
    points: points().describe(
      'Points that a grant pays. Existing grants keep theirs. For points only.',
    ),
    freePlays: RewardFreePlays.nullish().describe(
      'What a grant gives. Existing grants keep theirs. For free plays only.',
    ),
    ...optionalFields,
    position: position().describe('Its place in the shop.'),
  })
  .describe(
    'Changes to a reward. Omitted fields are unchanged; null clears the description, the picture, the stock, the price, the limit, the segment and the times.',
  )

export const ArchiveReward = z
  .object({ reward: RewardBy.describe('The reward, by id or slug.') })
  .describe('A reward that is not to be given any more.')

/** Changes a reward whose row is locked, so that its grants cannot outnumber its stock meanwhile. */
const change = (
  work: Work,
  { reward: by, ...tenant }: Tenant & { reward: RewardBy },
  changesOf: (reward: Reward) => Partial<Reward>,
): Promise<Reward> =>
  inTransaction(work, async ({ tx, clock }) => {
    const own = ofTenant(tx, tenant).reward
    const found = await findReward({ tx }, tenant, by)
    if (!found) throw new TesseraError('REWARD_NOT_FOUND')
    const { id } = found
    await lockRewards(tx, [id])
    const reward = await own.findUniqueOrThrow({ where: { id } })
    const changes = changesOf(reward)
    // With the slug there is always something to write, so that each call counts a version.
    const data = { slug: reward.slug, ...changes, updatedAt: clock() }
    return own
      .update({ where: { id }, data })
      .catch(refuseDuplicateKey('REWARD_SLUG_TAKEN', 'slug', data.slug))
  })

/** Refuses changes that the kind of a reward does not have, or its grants do not leave room for. */
const checkChanges = (reward: Reward, given: Changes): void => {
  const { kind, grantCount } = reward
  const { points, freePlays, stock } = given
  const refuse: Refuse = (field, message) => {
    throw refused(field, message)
  }
  const startsAt = given.startsAt === undefined ? reward.startsAt : given.startsAt
  const endsAt = given.endsAt === undefined ? reward.endsAt : given.endsAt
  // What a reward must have, it has already.
  checkKind(
    {
      ...given,
      kind,
      points: points ?? (kind === 'POINTS' ? 1 : null),
      freePlays: freePlays ?? (kind === 'FREE_PLAYS' ? {} : null),
      startsAt,
      endsAt,
    },
    refuse,
  )
  if (stock != null && stock < grantCount)
    throw refused('stock', `must be at least ${grantCount}, the number of grants so far`)
}

/**
 * Changes a reward. Grants that exist keep what they had.
 * @throws TesseraError REWARD_NOT_FOUND, REWARD_SLUG_TAKEN, SEGMENT_NOT_FOUND; VALIDATION_FAILED for what its kind does not
 * have, for a stock of fewer than have been granted, and for a segment that public keys decide
 */
export const updateReward = async (
  work: Work,
  { partnerId, environment, reward, slug, name, ...given }: Tenant & z.output<typeof UpdateReward>,
): Promise<Reward> => {
  await checkSegment(work, { partnerId, environment }, given.segmentId)
  return change(work, { partnerId, environment, reward }, (before) => {
    checkChanges(before, given)
    const { stock: _, ...withoutStock } = given
    return {
      ...(slug != null && { slug }),
      ...(name != null && { name }),
      ...columnsOf(before.kind === 'CODE' ? withoutStock : given),
    }
  })
}

/**
 * Archives a reward: it is not given any more. Its grants stay, and those that are not issued yet will be.
 * @throws TesseraError REWARD_NOT_FOUND
 */
export const archiveReward = (
  work: Work,
  requested: Tenant & z.output<typeof ArchiveReward>,
): Promise<Reward> =>
  change(work, requested, ({ archivedAt }) => ({ archivedAt: archivedAt ?? work.clock() }))

/** Reads rewards by their ids, in one statement. */
export const findRewards = async ({ tx }: Work, ids: string[]): Promise<(Reward | null)[]> =>
  inOrder(ids, await acrossTenants(tx, 'IDS').reward.findMany({ where: { id: { in: ids } } }))
