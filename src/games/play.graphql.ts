import { z } from 'zod'
import { GameType, RewardTier, RewardType } from '../generated/prisma/enums.ts'
import { type Context, requireCaller } from '../kit/access/context.ts'
import { acrossTenants, ofTenant } from '../kit/database/tenant-client.ts'
import { refused } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { eventType } from '../kit/schema/event-data.ts'
import { among, equal, isEmpty, isShort, Period, someOf, within } from '../kit/schema/filters.ts'
import { EnvironmentRef } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { findNumbered, numbered, type UserRange } from '../kit/schema/numbered.ts'
import { mapped, rows } from '../kit/schema/rows.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { LedgerEntryRef } from '../points/ledger.graphql.ts'
import { findEntriesById } from '../points/ledger-search.ts'
import { UserRef, userOfEvent } from '../users/end-user.graphql.ts'
import { externalIdOf, findUserBy, UserBy } from '../users/end-user.ts'
import { provesUser, whereOfNamed } from '../users/named-user.ts'
import type { BoxesOutcome, PlayOutcome, Reward, SlotsOutcome, WheelOutcome } from './game.rules.ts'
import { GameTypeRef, GameVersionRef, RewardTierRef, RewardTypeRef } from './mechanic.graphql.ts'
import { findMechanicVersions } from './mechanic.ts'
import { gamePlayed } from './play.events.ts'
import { type PlayedGame, PlayGame, playGames } from './play.ts'
import { findPlaysById, searchPlays } from './play-search.ts'

const PlayRewardRef = builder.objectRef<Reward>('PlayReward').implement({
  description: 'What a play won.',
  fields: (t) => ({
    tier: t.expose('tier', { type: RewardTierRef, description: 'How rare it is.' }),
    type: t.expose('type', { type: RewardTypeRef, description: 'The kind of reward.' }),
    value: t.exposeInt('value', { description: 'Amount in units of its type; 0 means no reward.' }),
    label: t.exposeString('label', { description: 'Display name of the reward.' }),
  }),
})

const WheelOutcomeRef = builder.objectRef<WheelOutcome>('WheelOutcome').implement({
  description: 'Where the wheel of NEON_WHEEL stops.',
  fields: (t) => ({
    winningSegment: t.exposeInt('winningSegment', { description: 'The segment, numbered from 0.' }),
    spinAngle: t.exposeFloat('spinAngle', {
      description: 'Degrees clockwise, within the segment.',
    }),
  }),
})

const SlotsOutcomeRef = builder.objectRef<SlotsOutcome>('SlotsOutcome').implement({
  description: 'What the reels of COSMIC_SLOTS show.',
  fields: (t) => ({
    reels: t.exposeIntList('reels', { description: 'Three symbols, each numbered from 0.' }),
  }),
})

const BoxesOutcomeRef = builder.objectRef<BoxesOutcome>('BoxesOutcome').implement({
  description: 'The box of ENIGMA_BOXES that opens.',
  fields: (t) => ({
    boxIndex: t.exposeInt('boxIndex', { description: 'The box, numbered from 0.' }),
  }),
})

const PlayOutcomeRef = builder.unionType('PlayOutcome', {
  description: 'What a game shows, depending on its type.',
  types: [WheelOutcomeRef, SlotsOutcomeRef, BoxesOutcomeRef],
  resolveType: (outcome) =>
    'reels' in outcome
      ? SlotsOutcomeRef
      : 'boxIndex' in outcome
        ? BoxesOutcomeRef
        : WheelOutcomeRef,
})

export const PlayRef = builder.prismaNode('Play', {
  description: 'One play of a game of chance.',
  id: { field: 'id' },
  nullable: true,
  include: { user: true },
  findUnique: (id, ctx) => ({ id, ...whereOfNamed(requireCaller(ctx, 'public')) }),
  fields: (t) => ({
    gameType: t.expose('gameType', { type: GameTypeRef, description: 'The type of game.' }),
    user: t.field({
      type: UserRef,
      description: 'The user who played.',
      resolve: ({ user }) => user,
    }),
    pointsSpent: t.exposeInt('pointsSpent', { description: 'Points that the play cost.' }),
    outcome: t.field({
      type: PlayOutcomeRef,
      description: 'What the game shows.',
      resolve: ({ outcome }) => outcome as PlayOutcome,
    }),
    reward: t.field({
      type: PlayRewardRef,
      description: 'The reward that the play drew.',
      resolve: ({ rewardTier, rewardType, rewardValue, rewardLabel }) => ({
        tier: rewardTier,
        type: rewardType,
        value: rewardValue,
        label: rewardLabel,
      }),
    }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'Environment of the key.',
    }),
    playedAt: t.expose('playedAt', { type: 'DateTime', description: 'When it was played.' }),
    gameVersionNumber: t.exposeInt('mechanicVersion', {
      description: 'The number of the version of the game that it was drawn from.',
    }),
    gameVersion: t.field({
      type: GameVersionRef,
      description: 'The version of the game that it was drawn from.',
      resolve: ({ mechanicVersion: version, gameType, ...play }, _, ctx) =>
        load(ctx, findMechanicVersions, { ...tenantOf(play), gameType, version }),
    }),
    ledgerEntry: t.field({
      type: LedgerEntryRef,
      description:
        'The entry that paid for it. A reward of type POINTS has an entry of its own, directly after it.',
      // The entry has the id of the play. A new play comes with its entry.
      resolve: (play, _, ctx) =>
        (play as Partial<PlayedGame['play']>).ledgerEntry ?? load(ctx, findEntriesById, play.id),
    }),
  }),
})

mutation('playGame', {
  description:
    'Plays a game of chance: deducts the points and draws the reward on the server. Emits `game.played`.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: PlayGame,
  payload: {
    play: { type: PlayRef, description: 'The play, with its outcome and reward.' },
    user: { type: UserRef, description: 'The user, after a reward of type POINTS is credited.' },
  },
  errors: ['GAME_MECHANIC_NOT_FOUND', 'USER_NOT_FOUND', 'USER_BLOCKED', 'INSUFFICIENT_POINTS'],
  resolve: async ({ user, ...play }, ctx, caller) =>
    ctx.write(playGames, {
      ...play,
      externalId: await externalIdOf(ctx, caller, user),
      isProven: provesUser(ctx, caller),
    }),
})

builder.prismaObjectField('LedgerEntry', 'play', (t) =>
  t.field({
    type: PlayRef,
    nullable: true,
    description: 'The play that it paid for or rewarded; null for other entries.',
    resolve: ({ account, sourceId }, _, ctx) =>
      account === 'games' && sourceId ? load(ctx, findPlaysById, sourceId) : null,
  }),
)

const findPlays = ({ tx }: Work, ranges: UserRange[]) =>
  findNumbered(acrossTenants(tx, 'IDS').play, 'playNo', ranges)

const UserPlayFilter = z
  .object({
    gameTypes: someOf('GameType', GameType).nullish().describe('Only plays of these games.'),
    rewardTiers: someOf('RewardTier', RewardTier)
      .nullish()
      .describe('Only plays that won a reward of these tiers.'),
    rewardTypes: someOf('RewardType', RewardType)
      .nullish()
      .describe('Only plays that won a reward of these types.'),
    playedAt: Period.nullish().describe('Only plays in this period.'),
  })
  .describe('Conditions on plays; all that are given must hold.')

const whereOf = ({
  gameTypes,
  rewardTiers,
  rewardTypes,
  playedAt,
}: z.output<typeof UserPlayFilter>) => ({
  ...among({ gameType: gameTypes, rewardTier: rewardTiers, rewardType: rewardTypes }),
  ...within({ playedAt }),
})

list([UserRef, 'plays'], {
  description: 'The plays of this user, newest first.',
  of: PlayRef,
  name: 'UserPlay',
  filter: UserPlayFilter,
  orders: { PLAYED_AT: { by: ['playNo'], description: 'By time of play.' } },
  order: ['PLAYED_AT', 'DESC'],
  from: ({ parent: user, filter, order, ctx }) => {
    const where = whereOf(filter)
    const source = isEmpty(where)
      ? numbered('playNo', {
          last: user.gamesPlayed,
          order,
          read: (range) => load(ctx, findPlays, { userId: user.id, ...range }),
        })
      : rows(ofTenant(ctx.db, user).play, {
          where: { userId: user.id, ...where },
          order,
          counting: 'AT_LEAST',
        })
    return mapped(source, (plays) => plays.map((play) => ({ ...play, user })))
  },
})

/** A filter by version reads all plays of its period, so a period is required. */
const maxDays = 92

const PlayFilter = UserPlayFilter.extend({
  user: UserBy.nullish().describe('Only plays of this user. None if there is no such user.'),
  gameVersionId: nodeId('GameVersion')
    .nullish()
    .describe(
      `Only plays that were drawn from this version of a game. Requires \`user\`, or \`playedAt\` with at most ${maxDays} days.`,
    ),
}).describe('Filters the plays of all users.')

type PlayFilter = z.output<typeof PlayFilter>

/** @throws TesseraError INVALID_PARAMETERS */
const requirePeriod = ({ gameVersionId, user, playedAt }: PlayFilter, now: Date) => {
  if (gameVersionId == null || user || isShort(playedAt, maxDays, now)) return
  throw refused(
    'filter.playedAt',
    `must be a period of at most ${maxDays} days when filter.gameVersionId is given without a user`,
    'INVALID_PARAMETERS',
  )
}

/** The filter with the number of the version, which is one of its game. Without such a version, no game is left. */
const withVersion = async (
  { db }: Pick<Context, 'db'>,
  tenant: Tenant,
  { gameVersionId: id, gameTypes, ...filter }: PlayFilter,
) => {
  if (id == null) return { ...filter, gameTypes, gameVersion: undefined }
  const found = await ofTenant(db, tenant).gameMechanicVersion.findUnique({
    where: { id },
    select: { version: true, mechanic: { select: { gameType: true } } },
  })
  const gameType = found?.mechanic.gameType
  const isAsked = gameType && (gameTypes?.includes(gameType) ?? true)
  return { ...filter, gameTypes: isAsked ? [gameType] : [], gameVersion: found?.version }
}

list('plays', {
  description: 'The plays of all users, newest first.',
  key: 'secret',
  of: PlayRef,
  filter: PlayFilter,
  orders: { PLAYED_AT: { by: ['playNo'], description: 'By time of play.' } },
  order: ['PLAYED_AT', 'DESC'],
  from: async ({ caller, filter: requested, order, ctx }) => {
    requirePeriod(requested, ctx.clock())
    const { user: by, gameVersion, ...filter } = await withVersion(ctx, caller, requested)
    if (!by) {
      const { playedAt, ...kinds } = filter
      const match = { ...kinds, gameVersion, from: playedAt?.from, before: playedAt?.to }
      return searchPlays(ctx, caller, match, order[0]?.[1] ?? 'desc')
    }
    const user = await findUserBy(ctx, caller, by)
    const where = user
      ? { userId: user.id, ...whereOf(filter), ...equal({ mechanicVersion: gameVersion }) }
      : { id: { in: [] } }
    return mapped(
      rows(ofTenant(ctx.db, caller).play, { where, order, counting: 'AT_LEAST' }),
      (plays) => plays.map((play) => ({ ...play, user })),
    )
  },
})

eventType(gamePlayed, 'GamePlayedEventData', (t) => ({
  externalId: t.exposeString('userId', {
    description: "The partner's id of the user; a pseudonym once the user is erased.",
  }),
  user: t.field(userOfEvent('The user who played.', ({ userId }) => userId)),
  play: t.field({
    type: PlayRef,
    nullable: true,
    description: 'The play.',
    resolve: ({ playId }, _, ctx) => load(ctx, findPlaysById, playId),
  }),
  gameType: t.expose('gameType', { type: GameTypeRef, description: 'The type of game.' }),
  pointsSpent: t.exposeInt('pointsSpent', { description: 'Price of the play.' }),
  balance: t.expose('userBalance', {
    type: 'SafeInt',
    description:
      'The balance after the price is deducted, before a reward of type POINTS is credited.',
  }),
  outcome: t.expose('outcome', { type: PlayOutcomeRef, description: 'What the game shows.' }),
  reward: t.expose('reward', {
    type: PlayRewardRef,
    description: 'The reward that the play drew.',
  }),
}))
