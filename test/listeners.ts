import type { World } from './world.ts'

/** Resolves when `count` more readers of a topic listen: what is committed from now on reaches them. */
export const untilListening = (world: World, topic: string, count = 1): Promise<void> => {
  const { pubsub } = world.runtime
  const { on } = pubsub
  const listening = Promise.withResolvers<void>()
  let missing = count
  pubsub.on = (heard, listener) => {
    const stop = on(heard, listener)
    if (heard === topic && --missing === 0) {
      pubsub.on = on
      listening.resolve()
    }
    return stop
  }
  return listening.promise
}
