/** The part of an operation that is in the bundle of the console. Its text stays on the server. */
export type Operation<Data, Variables> = {
  /** The SHA-256 of its document, which a request sends as `documentId`. */
  id: string
  /** Its name, for people. */
  name: string
  kind: 'query' | 'mutation' | 'subscription'
  /** Only for the compiler: it never exists at run time. */
  readonly types?: (variables: Variables) => Data
}
