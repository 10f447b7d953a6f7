/** Timings of fields, for developers who send `X-Tessera-Timings: 1`. */
import type { FastifyRequest } from 'fastify'
import {
  defaultFieldResolver,
  type ExecutionArgs,
  type GraphQLSchema,
  isObjectType,
  lexicographicSortSchema,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'

type Timing = { path: string; ms: number }
type Collected = { startedAt: number; fields: Map<string, number> }

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'

const rounded = (ms: number) => Math.round(ms * 100) / 100

const pathOf = (path: { key: string | number; prev: unknown } | undefined): string => {
  const keys: string[] = []
  for (let at = path; at; at = at.prev as typeof path)
    if (typeof at.key === 'string') keys.push(at.key)
  return keys.reverse().join('.')
}

/**
 * Returns the function that makes an execution measure its fields, and the one that reports the result. It
 * measures on a copy of the schema, created on first use, so other executions are not affected.
 */
const createTimings = (schema: GraphQLSchema) => {
  const collected = new WeakMap<object, Collected>()
  let copy: GraphQLSchema | undefined

  const add = (context: object, path: string, startedAt: number) => {
    const { fields } = collected.get(context) as Collected
    fields.set(path, (fields.get(path) ?? 0) + performance.now() - startedAt)
  }

  const measuredSchema = () => {
    if (copy) return copy
    copy = lexicographicSortSchema(schema)
    for (const type of Object.values(copy.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue
      for (const field of Object.values(type.getFields())) {
        const { resolve = defaultFieldResolver } = field
        field.resolve = (source, args, context, info) => {
          const startedAt = performance.now()
          const path = pathOf(info.path)
          try {
            const result: unknown = resolve(source, args, context, info)
            if (isPromise(result))
              return Promise.resolve(result).finally(() => add(context, path, startedAt))
            add(context, path, startedAt)
            return result
          } catch (error) {
            add(context, path, startedAt)
            throw error
          }
        }
      }
    }
    return copy
  }

  return {
    start: (args: ExecutionArgs): void => {
      args.schema = measuredSchema()
      const context = args.contextValue as object
      collected.set(context, { startedAt: performance.now(), fields: new Map() })
    },
    /** The slowest fields first. The times of list items are added up. */
    read: (context: object): { totalMs: number; fields: Timing[] } | undefined => {
      const found = collected.get(context)
      if (!found) return undefined
      const fields = [...found.fields]
        .map(([path, ms]) => ({ path, ms: rounded(ms) }))
        .sort((a, b) => b.ms - a.ms)
      return { totalMs: rounded(performance.now() - found.startedAt), fields }
    },
  }
}

/** In development, a request may ask for timings. */
export const measureFields = (schema: GraphQLSchema): Plugin<Context> => {
  const timings = createTimings(schema)
  return {
    onExecute: ({ args }) => {
      const { req } = args.contextValue as { req?: FastifyRequest }
      if (req?.headers['x-tessera-timings'] !== '1') return
      timings.start(args)
      return {
        onExecuteDone: ({ result }) => {
          if (Symbol.asyncIterator in result) return
          const measured = timings.read(args.contextValue as object)
          result.extensions = { ...result.extensions, timings: measured }
        },
      }
    },
  }
}
