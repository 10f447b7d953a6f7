import { expect } from 'vitest'

/** A page of a connection. */
export type ListPage<Node> = {
  nodes: Node[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean } & Record<string, string | null>
  totalCount: { value: number; precision: string }
}

/** The fields of a page besides `nodes`. */
export const pageFields =
  'totalCount { value precision } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

type Walk<Node> = {
  /** Asks for the page of a window, whose cursor is the variable `$at`. */
  readPage(window: string, at: string | null): Promise<ListPage<Node>>
  pageSize: number
  count: number
}

const walk = async <Node>({ readPage, pageSize, count }: Walk<Node>, isBackward: boolean) => {
  const pages: Node[][] = []
  for (let at: string | null = null; ; ) {
    const window: string = isBackward
      ? `last: ${pageSize}, before: $at`
      : `first: ${pageSize}, after: $at`
    const page: ListPage<Node> = await readPage(window, at)
    expect(page.totalCount).toEqual({ value: count, precision: 'EXACT' })
    pages.push(page.nodes)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    if (!(isBackward ? hasPreviousPage : hasNextPage))
      return (isBackward ? pages.reverse() : pages).flat()
    at = (isBackward ? startCursor : endCursor) as string
  }
}

/** The nodes of all pages in their order. Every page must say the count, and the way back must find the same nodes. */
export const walkPages = async <Node>(requested: Walk<Node>): Promise<Node[]> => {
  const forward = await walk(requested, false)
  expect(await walk(requested, true)).toEqual(forward)
  return forward
}
