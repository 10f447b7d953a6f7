/** Things that carry a version, and mutations that say which version their caller saw. */
import { z } from 'zod'
import { TesseraError } from '../errors.ts'
import { integer } from '../validation.ts'
import { builder } from './builder.ts'
import { errorType } from './error-types.ts'
import { readTarget } from './node-read.ts'

/** Options of the field `version` of a type. */
export const versionField = { description: 'Counts its changes: 1, 2, 3, …' }

const expectedVersion = integer(0, 2_147_483_647)
  .nullish()
  .describe(
    'The version that you saw; 0 if it did not exist. Any other one is a `CONFLICT`, and nothing is changed. Omitted: no check.',
  )

export type Expecting = { expectedVersion?: number | null }

/** The same input, which also takes the version that the caller saw. */
export const withExpectedVersion = <S extends z.ZodObject>(schema: S): S =>
  schema.safeExtend({ expectedVersion }).meta(z.globalRegistry.get(schema) ?? {}) as unknown as S

type Target = { type: string; id: string | null } | null

/**
 * Refuses a change whose new version does not follow the version that the caller saw. Call it in the transaction of the
 * change, which the error rolls back. Of two concurrent changes, the database makes the later one wait, so that its new
 * version is one too high.
 * @throws TesseraError CONFLICT
 */
export const refuseOutdated = (
  expectedVersion: number,
  payload: Record<string, unknown>,
  target: Target,
): void => {
  const [changed] = Object.values(payload) as [{ version: number }]
  const currentVersion = changed.version - 1
  if (currentVersion !== expectedVersion)
    throw new TesseraError('CONFLICT', { expectedVersion, currentVersion, target })
}

builder.objectFields(errorType('Conflict'), (t) => ({
  expectedVersion: t.int({
    description: 'The version that you saw.',
    resolve: ({ data }) => data.expectedVersion,
  }),
  currentVersion: t.int({
    description: 'The version now; 0 if it does not exist.',
    resolve: ({ data }) => data.currentVersion,
  }),
  current: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: 'The object as it is now. Null if it does not exist or has no global id.',
    resolve: ({ data: { target } }, _, ctx, info) => readTarget(target, ctx, info),
  }),
}))
