/** Versions of settings: what something had from one change to the next, and what a restoration takes from them. */
import type { z } from 'zod'
import type { SettingsVersion as Row } from '../../generated/prisma/client.ts'
import { refused } from '../../kit/errors.ts'
import type { Work } from '../../kit/runtime.ts'
import { findRowParts, type PartOf } from '../../kit/schema/parts.ts'
import { integer } from '../../kit/validation.ts'
import type { Actor } from '../actor.ts'
import { restorableOf, type Settings } from './settings-version.rules.ts'
import { selectSettingsVersions } from './settings-version.sql.ts'

/** A version, with the settings before it and those of now. */
export type SettingsVersion = Actor & {
  objectId: string
  /** The table of the object. */
  kind: string
  version: number
  settings: Settings
  createdAt: Date
  /** Null for the first version that is kept. */
  before: Settings | null
  current: Settings
  currentVersion: number
}

type VersionKey = { objectId: string; version: number }

/** Reads versions of any objects, in one statement; null for those that are not kept. */
export const findSettingsVersions = async (
  { tx }: Pick<Work, 'tx'>,
  keys: VersionKey[],
): Promise<(SettingsVersion | null)[]> => {
  const found: (SettingsVersion | null)[] = keys.map(() => null)
  for (const { n, ...version } of await selectSettingsVersions(tx, keys))
    found[n] = version as unknown as SettingsVersion
  return found
}

/** Pages of the versions of objects. */
export const findVersionParts = (work: Work, requested: PartOf[]): Promise<Row[][]> =>
  findRowParts(
    work,
    { model: 'SettingsVersion', parent: 'object_id', by: { version: 'int' } },
    requested,
  )

/** The field of an input with the number of a version to restore. */
export const versionToRestore = () =>
  integer(1, 2_147_483_647).describe('The number of the version. Its states are not restored.')

/**
 * The settings of a version, to be set again.
 * @throws TesseraError VALIDATION_FAILED when the object has no such version
 */
export const settingsToRestore = async <S extends z.ZodType>(
  work: Pick<Work, 'tx'>,
  key: VersionKey,
  schema: S,
): Promise<z.output<S>> => {
  const [kept] = await findSettingsVersions(work, [key])
  if (!kept) throw refused('version', 'must be a version that is kept')
  return schema.parse(kept.settings)
}

/** Whether a change can be undone: it changed settings, not only a state, and what was before it is kept. */
export const canBeUndone = ({ before, settings }: SettingsVersion): boolean =>
  before !== null && restorableOf(settings, before).length > 0
