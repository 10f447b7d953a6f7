/** Sends queries to the standby, and remembers who has written. */
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../core/context.ts'
import { noteMutation, routeReads } from '../core/replica/routing.ts'

export const routeOperations = (): Plugin<Context> => ({
  onExecute: async ({ args: { document, operationName, contextValue } }) => {
    const kind = getOperationAST(document, operationName)?.operation
    if (kind === 'query') await routeReads(contextValue)
    if (kind === 'mutation') return { onExecuteDone: () => noteMutation(contextValue) }
  },
})
