/** Edges from one object to another. */
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** The fields of a selection, those of its fragments included. */
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
 * Whether nothing but these fields is asked of the object that a field gives. Then an edge need not read
 * what its parent knows already: the id of a draw stands in each of its tickets.
 */
export const asksOnly = ({ fieldNodes, fragments }: Asked, ...known: string[]): boolean =>
  fieldNodes
    .flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments))
    .every(({ name }) => ['__typename', 'id', 'uuid', ...known].includes(name.value))

/** What is asked at a path below a field. */
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
 * Remembers what was decided about a field of a document. Documents are parsed once and executed often.
 * Fields that are asked in several places are decided anew.
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
