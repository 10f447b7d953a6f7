/** Things that carry a version, and mutations that say which version their caller saw. */

import { brandWithType, getTypeBrand } from '@pothos/core'
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import { z } from 'zod'
import type { Context } from '../access/context.ts'
import type { Queries } from '../database/db.ts'
import { TesseraError } from '../errors.ts'
import { inOrder } from '../in-order.ts'
import type { Work } from '../runtime.ts'
import { integer } from '../validation.ts'
import { addInterface, builder, shownNode } from './builder.ts'
import { load } from './edge.ts'
import { errorType } from './error-types.ts'

/** A node, with the conditions under which the caller may see it. */
type NodeKey = {
  type: string
  id: string
  model: string
  visible: object
  include: object | undefined
}

/** The extensions that Pothos keeps with the type of a node. */
type Extensions = {
  pothosPrismaModel?: string
  pothosPrismaInclude?: object
  pothosPrismaLoader?(ctx: Context): {
    findUnique(node: { id: string }, ctx: Context): { id: string }
  }
}

/**
 * The key of a node for a caller. Null for a type that has no global ids or no longer exists, and for one that the
 * caller has no right to read.
 */
const nodeKeyOf = (
  schema: GraphQLSchema,
  type: string,
  id: string,
  ctx: Context,
): NodeKey | null => {
  const extensions: Extensions = schema.getType(type)?.extensions ?? {}
  const { pothosPrismaModel: model, pothosPrismaLoader: loader } = extensions
  if (!model || !loader) return null
  const { id: _, ...visible } = loader(ctx).findUnique({ id }, ctx)
  return { type, id, model, visible, include: extensions.pothosPrismaInclude }
}

type Model = { findMany(query: object): Promise<{ id: string }[]> }

const modelOf = (tx: Queries, name: string) =>
  (tx as unknown as Record<string, Model>)[`${name[0]?.toLowerCase()}${name.slice(1)}`] as Model

const groupOf = ({ type, visible }: NodeKey) => `${type} ${JSON.stringify(visible)}`

/** Reads nodes, in one statement for each type and condition. Null for those that are gone or not visible. */
const findNodes = async ({ tx }: Work, requested: NodeKey[]): Promise<(object | null)[]> => {
  const found: { name: string; row: object }[] = []
  for (const [group, keys] of Map.groupBy(requested, groupOf)) {
    const { type, model, visible, include } = keys[0] as NodeKey
    const ids = [...new Set(keys.map(({ id }) => id))]
    const rows = await modelOf(tx, model).findMany({
      where: { ...visible, id: { in: ids } },
      ...(include && { include }),
    })
    for (const row of rows) {
      brandWithType(row, type as never)
      found.push({ name: `${group} ${row.id}`, row })
    }
  }
  return inOrder(
    requested,
    found,
    ({ name }) => name,
    (key) => `${groupOf(key)} ${key.id}`,
  ).map((item) => item?.row ?? null)
}

/**
 * Reads an object by the name of its type and its UUID. Null if it is gone or not visible to the caller.
 * @throws TesseraError why the caller may not read any object of the type
 */
export const readNode = async (
  { type, id }: { type: string; id: string },
  ctx: Context,
  { schema }: GraphQLResolveInfo,
) => {
  const key = nodeKeyOf(schema, type, id, ctx)
  return (key && shownNode(await load(ctx, findNodes, key), ctx)) as never
}

/** The same for what an error or an entry of the audit log names. Null without a target, or if it may not be read. */
export const readTarget = async (
  target: { type: string | null; id: string | null } | null,
  ctx: Context,
  info: GraphQLResolveInfo,
) => {
  if (!target?.type || !target.id) return null as never
  try {
    return await readNode({ type: target.type, id: target.id }, ctx, info)
  } catch (error) {
    if (error instanceof TesseraError) return null as never
    throw error
  }
}

/** Options of the field `version` of a type. */
export const versionField = { description: 'Counts its changes: 1, 2, 3, …' }

const VersionedRef = builder.interfaceRef<{ id: string }>('Versioned').implement({
  description:
    'Something that counts its changes. The mutation that changes it takes the version as `expectedVersion`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The global id, which `node` takes.' }),
    version: t.int({ ...versionField, resolve: (row) => Reflect.get(row, 'version') }),
  }),
  resolveType: (row) =>
    builder.configStore.getTypeConfig(getTypeBrand(row) as string).name as never,
})

/** Marks a type with a `version` as `Versioned`. */
export const versioned = (type: { name: string }): void => addInterface(type, VersionedRef)

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

/** A row that counts its changes. An arena game also has the version of its build, so it counts in `revision`. */
type Versioned = { revision: number } | { version: number }

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
  const [changed] = Object.values(payload) as [Versioned]
  const currentVersion = ('revision' in changed ? changed.revision : changed.version) - 1
  if (currentVersion !== expectedVersion)
    throw new TesseraError('CONFLICT', { expectedVersion, currentVersion, target })
}

builder.objectField(errorType('Conflict'), 'current', (t) =>
  t.field({
    type: VersionedRef,
    nullable: true,
    description: 'The object as it is now. Null if it does not exist or has no global id.',
    resolve: ({ data: { target } }, _, ctx, info) => readTarget(target, ctx, info),
  }),
)
