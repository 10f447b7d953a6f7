/** Edges from one object to another. */
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/**
 * Whether nothing but these fields is asked of the object that a field gives. Then an edge need not read
 * what its parent knows already: the id of a draw stands in each of its tickets.
 */
export const asksOnly = (
  { fieldNodes, fragments }: GraphQLResolveInfo,
  ...known: string[]
): boolean => {
  const isKnown = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD)
        return ['__typename', 'id', 'uuid', ...known].includes(selection.name.value)
      const set =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments[selection.name.value]?.selectionSet
      return set !== undefined && isKnown(set)
    })
  return fieldNodes.every(({ selectionSet }) => selectionSet !== undefined && isKnown(selectionSet))
}
