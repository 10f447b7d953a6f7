/** Caches the published data of draws, which never changes. */
import { LRUCache } from 'lru-cache'
import type { Queries } from '../core/db/db.ts'

type Make = () => Promise<Buffer>

const memoryBytes = 64 * 1024 ** 2
const memories = new WeakMap<Queries, LRUCache<string, Buffer, Make>>()

const memoryOf = (tx: Queries) => {
  let memory = memories.get(tx)
  if (!memory) {
    memory = new LRUCache<string, Buffer, Make>({
      maxSize: memoryBytes,
      sizeCalculation: ({ length }) => length + 1,
      fetchMethod: (_, __, { context: make }) => make(),
    })
    memories.set(tx, memory)
  }
  return memory
}

/** The text for a key. It is built once, even for simultaneous calls. */
export const publishedOnce = (tx: Queries, key: string, make: Make): Promise<Buffer> =>
  memoryOf(tx).forceFetch(key, { context: make })
