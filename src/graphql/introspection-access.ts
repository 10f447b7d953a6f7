/** Who may introspect. Checked before a document is validated, because refusing it must cost next to nothing. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { type Callers, isGoodCaller } from '../kit/access/context.ts'
import { fragmentsOf, isIntrospection } from './document-limits.ts'
import { requestError } from './faults.ts'

const namesIntrospection = /\b__(schema|type)\b/

/** Whether a root selection has an introspection field. Each fragment is read once. */
const selectsIntrospection = (
  { selections }: SelectionSetNode,
  unread: Map<string, FragmentDefinitionNode>,
): boolean =>
  selections.some((node) => {
    if (node.kind === Kind.FIELD) return isIntrospection(node)
    if (node.kind === Kind.INLINE_FRAGMENT) return selectsIntrospection(node.selectionSet, unread)
    const fragment = unread.get(node.name.value)
    unread.delete(node.name.value)
    return fragment !== undefined && selectsIntrospection(fragment.selectionSet, unread)
  })

/** Whether an operation introspects. The document need not be valid. */
export const isIntrospective = (document: DocumentNode, operationName: unknown): boolean => {
  if (!namesIntrospection.test(document.loc?.source.body ?? '')) return false
  const operation = getOperationAST(document, (operationName || null) as string | null)
  return !!operation && selectsIntrospection(operation.selectionSet, fragmentsOf(document))
}

/** The reason to refuse an operation to these callers. In production, only members may introspect. */
export const refuseIntrospection = (
  document: DocumentNode,
  operationName: unknown,
  { member }: Callers,
): GraphQLError | null =>
  !isGoodCaller(member) && isIntrospective(document, operationName)
    ? requestError('INTROSPECTION_REFUSED')
    : null
