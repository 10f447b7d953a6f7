import { LRUCache } from 'lru-cache'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import {
  settingsToRestore,
  versionToRestore,
} from '../accounts/settings-versions/settings-version.ts'
import type { GameMechanic, GameMechanicVersion } from '../generated/prisma/client.ts'
import { GameType, type MechanicStatus } from '../generated/prisma/enums.ts'
import { afterCommit } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { inOrder } from '../kit/in-order.ts'
import type { Work } from '../kit/runtime.ts'
import { findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { singleton } from '../kit/singleton.ts'
import type { Tenant } from '../kit/tenant.ts'
import { httpsUrl, integer, maxPoints, oneOf, text } from '../kit/validation.ts'
import { WeightedReward } from './game.rules.ts'
import { selectMechanics, selectMechanicVersions } from './mechanic.sql.ts'

/** The configuration of a game of chance. */
export const SetGame = z
  .object({
    gameType: oneOf('GameType', GameType).describe('The type of game.'),
    name: text(255).describe('Name shown to users.'),
    description: text(2000).describe('Short description for users.'),
    price: integer(0, maxPoints).describe('Points that a play costs.'),
    imageUrl: httpsUrl().nullish().describe('Cover image.'),
    segments: integer(2, 360).describe('Wheel segments, slots symbols or boxes.'),
    rewards: z
      .array(WeightedReward, { error: 'is required' })
      .min(1, 'must have at least one reward')
      .max(100, 'must have at most 100 rewards')
      .refine((rewards) => rewards.some(({ weight }) => weight > 0), 'must have a weight above 0')
      .describe('What a play can win, and with which weights.'),
  })
  .describe('The configuration of a game of chance.')

export type SetGame = z.output<typeof SetGame>

/** Worth is kept only where it was given and means something. */
const storedReward = ({ worthPoints, ...reward }: WeightedReward): WeightedReward =>
  worthPoints == null || reward.type === 'points' ? reward : { ...reward, worthPoints }

/**
 * Creates or changes the mechanic of a game type. A play in progress uses either the old or the new rewards, never a
 * mixture.
 * @param input its status is kept if omitted; a new one is active
 */
export const setGameMechanic = async (
  { tx, clock }: Work,
  { gameType, rewards, ...input }: Tenant & SetGame & { status?: MechanicStatus },
): Promise<GameMechanic> => {
  const fields = {
    name: input.name,
    description: input.description,
    pointsToUnlock: input.price,
    imageUrl: input.imageUrl ?? null,
    ...(input.status && { status: input.status }),
    segments: input.segments,
    rewards: rewards.map(storedReward),
    updatedAt: clock(),
  }
  return ofTenant(tx, input).gameMechanic.upsert({
    where: { partnerId_environment_gameType: { gameType } },
    create: { id: uuid(), gameType, ...fields, createdAt: clock() },
    update: fields,
  })
}

export const RestoreGame = z
  .object({
    gameType: oneOf('GameType', GameType).describe('The type of game.'),
    version: versionToRestore(),
  })
  .describe('A version of a game to restore.')

const Settings = z.object({
  name: z.string(),
  description: z.string(),
  points_to_unlock: z.number(),
  image_url: z.string().nullable(),
  segments: z.number(),
  rewards: z.custom<SetGame['rewards']>(),
})

/**
 * Sets a game as it was in an earlier version. Its status stays.
 * @throws TesseraError GAME_MECHANIC_NOT_FOUND; VALIDATION_FAILED when there is no such version
 */
export const restoreGame = async (
  work: Work,
  { gameType, version, ...tenant }: Tenant & z.output<typeof RestoreGame>,
): Promise<GameMechanic> => {
  const mechanic = await ofTenant(work.tx, tenant).gameMechanic.findFirst({ where: { gameType } })
  if (!mechanic) throw new TesseraError('GAME_MECHANIC_NOT_FOUND')
  const kept = await settingsToRestore(work, { objectId: mechanic.id, version }, Settings)
  const settings: Required<SetGame> = {
    gameType,
    name: kept.name,
    description: kept.description,
    price: kept.points_to_unlock,
    imageUrl: kept.image_url,
    segments: kept.segments,
    rewards: kept.rewards.map(({ tier, type, value, label, weight }) => ({
      tier,
      type,
      value,
      label,
      weight,
    })),
  }
  return setGameMechanic(work, { ...tenant, ...settings })
}

/**
 * Lets users play the mechanic of a game type, or hides it.
 * @throws TesseraError GAME_MECHANIC_NOT_FOUND
 */
export const setMechanicStatus = async (
  { tx, clock }: Work,
  { gameType, status, ...tenant }: Tenant & { gameType: GameType; status: MechanicStatus },
): Promise<GameMechanic> => {
  const [mechanic] = await ofTenant(tx, tenant).gameMechanic.updateManyAndReturn({
    where: { gameType },
    data: { status, updatedAt: clock() },
  })
  if (!mechanic) throw new TesseraError('GAME_MECHANIC_NOT_FOUND')
  return mechanic
}

type MechanicKey = Tenant & { gameType: GameType }

const nameOf = ({ partnerId, environment, gameType }: MechanicKey) =>
  `${partnerId} ${environment} ${gameType}`

/** Reads active mechanics by game type, in one statement; null if there is none. */
export const findMechanics = async (
  { tx }: Work,
  keys: MechanicKey[],
): Promise<(GameMechanic | null)[]> => {
  const wanted = new Map(keys.map((key) => [nameOf(key), key]))
  const rows = await selectMechanics(tx, [...wanted.values()])
  return inOrder(keys, rows, nameOf, nameOf)
}

/** The mechanic of a game type, active or not; null if it was never set up. */
export const findAnyMechanic = (
  { tx }: Work,
  { gameType, ...tenant }: MechanicKey,
): Promise<GameMechanic | null> =>
  ofTenant(tx, tenant).gameMechanic.findFirst({ where: { gameType } })

/** Active mechanics as they were last read for a play, by name. */
const memoryOf = singleton('mechanics', () => new LRUCache<string, GameMechanic>({ max: 1_000 }))

/** Active mechanics from memory, which may have changed since. Null unless all of them are known. */
export const recallMechanics = (work: Work, keys: MechanicKey[]): GameMechanic[] | null => {
  const memory = memoryOf(work)
  const known = keys.flatMap((key) => memory.get(nameOf(key)) ?? [])
  return known.length === keys.length ? known : null
}

/** Like `findMechanics`, but caches the result. */
export const findAndRememberMechanics = async (
  work: Work,
  keys: MechanicKey[],
): Promise<(GameMechanic | null)[]> => {
  const found = await findMechanics(work, keys)
  // A transaction may read its own change, which can still be rolled back.
  afterCommit(work.tx, () => {
    const memory = memoryOf(work)
    for (const mechanic of found) if (mechanic) memory.set(nameOf(mechanic), mechanic)
  })
  return found
}

/** The active or inactive mechanics of a partner; three at most. */
export const listMechanics = (
  { tx }: Work,
  tenant: Tenant,
  isActive: boolean,
): Promise<GameMechanic[]> =>
  ofTenant(tx, tenant).gameMechanic.findMany({
    where: { status: isActive ? 'ACTIVE' : 'INACTIVE' },
    orderBy: { gameType: 'asc' },
  })

/** Reads versions of mechanics by their numbers, in one statement. */
export const findMechanicVersions = async (
  { tx }: Work,
  keys: (MechanicKey & { version: number })[],
): Promise<GameMechanicVersion[]> => {
  const rows = await selectMechanicVersions(tx, keys)
  const found = inOrder(
    keys,
    rows,
    ({ n }) => n,
    (_, n) => n,
  )
  return found.map((row) => {
    const { n: _, ...version } = row as GameMechanicVersion & { n: number }
    return version
  })
}

/** Pages of the versions of mechanics. */
export const findVersionParts = (
  work: Work,
  requested: PartOf[],
): Promise<GameMechanicVersion[][]> =>
  findRowParts(
    work,
    { model: 'GameMechanicVersion', parent: 'mechanic_id', by: { version: 'int' } },
    requested,
  )
