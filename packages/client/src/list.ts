/** REST lists, page by page. */
import type { paths } from './generated/paths.ts'
import type { CallOptions } from './options.ts'
import type { AnswerOf, AnyCall, PathOf, RequestOf } from './rest.ts'

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<'get'>]: 'query' extends keyof RequestOf<P, 'get'>
    ? 'limit' extends keyof NonNullable<RequestOf<P, 'get'>['query']>
      ? P
      : never
    : never
}[PathOf<'get'>]

type ItemsIn<D> = D extends readonly (infer T)[]
  ? T
  : Extract<D[keyof D], readonly unknown[]>[number]

/** An item of a list. */
export type ItemOf<P extends ListPath> =
  AnswerOf<P, 'get'> extends { data: infer D } ? ItemsIn<D> : never

/** The options of a list. `query.limit` is the number of items per request; default 100. */
export type ListRequest<P extends ListPath> = Omit<RequestOf<P, 'get'>, keyof CallOptions> &
  Pick<CallOptions, 'signal'>

type Sent<R> = object extends R ? [request?: R] : [request: R]

export type List = <P extends ListPath>(
  path: P,
  ...request: Sent<ListRequest<P>>
) => AsyncGenerator<ItemOf<P>, void, undefined>

const eventsPath: keyof paths = '/v1/events'

type Figures = { total?: number; limit?: number; totalPages?: number }

/** The items of a page, and the number of pages if the answer has it. */
const readPage = (body: unknown) => {
  const { data, meta, ...beside } = body as { data: object; meta?: Figures } & Figures
  const items = (Array.isArray(data) ? data : Object.values(data).find(Array.isArray)) ?? []
  const { totalPages, total, limit }: Figures = {
    ...beside,
    ...(Array.isArray(data) ? {} : data),
    ...meta,
  }
  const pageCount = totalPages ?? (total && limit ? Math.ceil(total / limit) : undefined)
  return { items: items as { id?: string }[], pageCount }
}

async function* items(
  get: AnyCall,
  path: string,
  { query = {}, ...request }: { query?: { limit?: number; page?: number; after?: string } },
) {
  const limit = query.limit ?? 100
  let place: object = path === eventsPath ? {} : { page: query.page ?? 1 }
  for (let page = query.page ?? 1; ; page++) {
    const body = await get(path, { ...request, query: { ...query, limit, ...place } })
    const { items, pageCount } = readPage(body)
    yield* items
    if (items.length === 0 || (pageCount !== undefined && page >= pageCount)) return
    // Events continue after the last one, so that none is missed. Other lists have numbered pages.
    place = path === eventsPath ? { after: items.at(-1)?.id } : { page: page + 1 }
  }
}

/** Iterates over the items of a list and fetches pages on demand. */
export const createList = (get: AnyCall): List =>
  ((path: string, request: object = {}) => items(get, path, request)) as unknown as List
