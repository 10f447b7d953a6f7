/** Edges from one object to another. */
import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { defaultMaxBatch } from '../group-commit/coalesce.ts'
import type { Reader, Runtime } from '../runtime.ts'

type Loading = Pick<Runtime, 'readAll'>

/** The loaders of a request, by their readers. */
const loadersOf = createContextCache((_: Loading) => new Map<unknown, unknown>())

/**
 * To be called after a request: a weak map would keep its context until the whole heap is collected
 * (docs/decisions/server-start-and-memory.md).
 */
export const forgetLoaders = (ctx: Loading): void => loadersOf.delete(ctx)

const loaderOf = <K, R>(ctx: Loading, reader: Reader<K, R>): DataLoader<K, R> => {
  const loaders = loadersOf(ctx)
  const known = loaders.get(reader)
  if (known) return known as DataLoader<K, R>
  const loader = new DataLoader<K, R>(
    (keys) => {
      // A loader remembers only the keys of its next batch: a subscription or a second mutation must not see old rows.
      loader.clearAll()
      return ctx.readAll(reader, keys)
    },
    { maxBatchSize: defaultMaxBatch },
  )
  loaders.set(reader, loader)
  return loader
}

/**
 * Loads what an edge leads to. The edges of one level of a request are one batch, in which a key that is a text occurs
 * once, so a level takes one statement however many items it has. Batches of concurrent requests meet in `readAll`.
 *
 * A relation of the Prisma model is `t.relation`, with this as its `resolve` for parents that were read without it. But
 * Prisma reads a relation by its foreign key alone and lets no rule refuse it. So these stay with this function:
 * - users and campaigns of other rows (`userOf`, `campaignOf`), which are read by partner, environment and id;
 * - what only some callers see: games and sessions of the arena, agents, builds, offer rules, members, keys;
 * - lists with a limit for each parent (attempts of a delivery, builds), of which Prisma would read all rows;
 * - what belongs to the row by a name or a number instead of a foreign key.
 */
export const load = <K, R>(ctx: Loading, reader: Reader<K, R>, key: K): Promise<R> =>
  loaderOf(ctx, reader).load(key)

type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** The fields of a selection, including those of its fragments. */
const fieldsOf = (set: SelectionSetNode | undefined, fragments: Asked['fragments']): FieldNode[] =>
  (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection
    return fieldsOf(
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments[selection.name.value]?.selectionSet,
      fragments,
    )
  })

/**
 * Whether a query selects only these fields of an object. Then the edge does not need to read it, because its
 * parent has them: each ticket has the id of its draw.
 */
export const selectsOnly = ({ fieldNodes, fragments }: Asked, ...known: string[]): boolean =>
  fieldNodes
    .flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments))
    .every(({ name }) => ['__typename', 'id', 'uuid', ...known].includes(name.value))

/** The selections at a path below a field. */
export const selectionsAt = ({ fieldNodes, fragments }: Asked, ...path: string[]): Asked => ({
  fieldNodes: path.reduce<readonly FieldNode[]>(
    (nodes, step) =>
      nodes
        .flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments))
        .filter(({ name }) => name.value === step),
    fieldNodes,
  ),
  fragments,
})

/**
 * Caches a decision about a field of a document, because documents are parsed once and executed often. Fields
 * selected in several places are not cached.
 */
export const decidedOnce = (decide: (requested: Asked) => boolean): typeof decide => {
  const decisions = new WeakMap<FieldNode, boolean>()
  return (requested) => {
    const [node, ...others] = requested.fieldNodes
    if (!node || others.length > 0) return decide(requested)
    const known = decisions.get(node) ?? decide(requested)
    decisions.set(node, known)
    return known
  }
}
