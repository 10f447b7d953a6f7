/** Reads nodes of several types by their ids, as their owner may see them. */
import { brandWithType } from '@pothos/core'
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { Context } from '../access/context.ts'
import type { Queries } from '../database/db.ts'
import { TesseraError } from '../errors.ts'
import type { Work } from '../runtime.ts'

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
  try {
    const { id: _, ...visible } = loader(ctx).findUnique({ id }, ctx)
    return { type, id, model, visible, include: extensions.pothosPrismaInclude }
  } catch (error) {
    if (error instanceof TesseraError) return null
    throw error
  }
}

type Model = { findMany(query: object): Promise<{ id: string }[]> }

const modelOf = (tx: Queries, name: string) =>
  (tx as unknown as Record<string, Model>)[`${name[0]?.toLowerCase()}${name.slice(1)}`] as Model

const groupOf = ({ type, visible }: NodeKey) => `${type} ${JSON.stringify(visible)}`

/** Reads nodes, in one statement for each type and condition. Null for those that are gone or not visible. */
const findNodes = async ({ tx }: Work, asked: NodeKey[]): Promise<(object | null)[]> => {
  const found = new Map<string, object>()
  for (const [group, keys] of Map.groupBy(asked, groupOf)) {
    const { type, model, visible, include } = keys[0] as NodeKey
    const ids = [...new Set(keys.map(({ id }) => id))]
    const rows = await modelOf(tx, model).findMany({
      where: { ...visible, id: { in: ids } },
      ...(include && { include }),
    })
    for (const row of rows) {
      brandWithType(row, type as never)
      found.set(`${group} ${row.id}`, row)
    }
  }
  return asked.map((key) => found.get(`${groupOf(key)} ${key.id}`) ?? null)
}

/**
 * Reads a thing by the name of its type and its UUID. Null without a target, and for one that is gone or that the
 * caller may not see.
 */
export const readTarget = (
  target: { type: string | null; id: string | null } | null,
  ctx: Context,
  { schema }: GraphQLResolveInfo,
) => {
  const key = target?.type && target.id ? nodeKeyOf(schema, target.type, target.id, ctx) : null
  return (key && ctx.read(findNodes, key)) as never
}
