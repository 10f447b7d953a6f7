/** GraphQL documents from any tool. */

/**
 * A document with its types. gql.tada, GraphQL Code Generator and other tools that create a
 * `TypedDocumentNode` create these.
 */
export type TypedDocument<Data, Variables> = {
  readonly __apiType?: (variables: Variables) => Data
}

export type AnyDocument = string | object

type Node = { kind?: string; loc?: { source?: { body?: string } } | undefined }

/** The text of a document. Documents without a text are printed by code that is loaded on demand. */
export const textOf = async (document: AnyDocument): Promise<string> => {
  const { kind, loc } = document as Node
  if (kind !== 'Document') return String(document)
  const text = loc?.source?.body
  if (text !== undefined) return text
  const { print } = await import('@0no-co/graphql.web')
  return print(document as never)
}

const stringsAndComments = /"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|#.*/g

/** Whether a document is a mutation. */
export const isMutation = (text: string): boolean => {
  let outside = text.replace(stringsAndComments, ' ')
  for (let before = ''; before !== outside; ) {
    before = outside
    outside = outside.replace(/\{[^{}]*\}/g, ' ')
  }
  return /(?:^|\s)mutation\b/.test(outside)
}
