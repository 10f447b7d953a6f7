/** Caches the published data of draws, which never changes. */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../kit/runtime.ts'
import { singleton } from '../kit/singleton.ts'

type Make = () => Promise<Buffer>

const memoryBytes = 64 * 1024 ** 2
const memoryOf = singleton(
  'published draws',
  () =>
    new LRUCache<string, Buffer, Make>({
      maxSize: memoryBytes,
      sizeCalculation: ({ length }) => length + 1,
      fetchMethod: (_, __, { context: make }) => make(),
    }),
)

/** The text for a key. It is built once, even for simultaneous calls. */
export const publishedOnce = (
  runtime: Pick<Runtime, 'singletons'>,
  key: string,
  make: Make,
): Promise<Buffer> => memoryOf(runtime).forceFetch(key, { context: make })
