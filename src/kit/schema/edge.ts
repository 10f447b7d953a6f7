/** Edges from one object to another. */
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

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
export const askedAt = ({ fieldNodes, fragments }: Asked, ...path: string[]): Asked => ({
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
export const decidedOnce = (decide: (asked: Asked) => boolean): typeof decide => {
  const decisions = new WeakMap<FieldNode, boolean>()
  return (asked) => {
    const [node, ...others] = asked.fieldNodes
    if (!node || others.length > 0) return decide(asked)
    const known = decisions.get(node) ?? decide(asked)
    decisions.set(node, known)
    return known
  }
}
