/** Subscriptions as server-sent events. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Plugin } from 'graphql-yoga'
import type { Context } from '../kit/access/context.ts'
import { watchCallers } from '../kit/access/credentials.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Parts } from '../kit/http/http-parts.ts'
import { exportGauge } from '../kit/observability/metrics.ts'
import { type MediaType, streamType } from './accept.ts'
import { refusal } from './faults.ts'

/** The request of a subscription over HTTP; undefined over WebSocket. */
export type StreamContext = { req: FastifyRequest; reply: FastifyReply; mediaType: MediaType }

/** How long a client has to read the end of its stream when the server stops. */
const endMs = 2_000

const stopping = () =>
  new TesseraError('UNAVAILABLE', { message: 'The server is stopping', retryAfter: 1 })

const tooMany = () =>
  new TesseraError('RATE_LIMITED', {
    message: 'Too many event streams',
    limit: null,
    current: null,
    retryAfter: 1,
  })

/** Wraps a source so that `end` can end it even while the next result is pending. */
const endable = <T>(source: AsyncIterator<T>) => {
  const done: IteratorResult<T> = { done: true, value: undefined }
  let isEnded = false
  let finish = () => {}
  const end = () => {
    isEnded = true
    finish()
    void source.return?.()
  }
  const results: AsyncIterableIterator<T> = {
    [Symbol.asyncIterator]: () => results,
    next: () =>
      new Promise((resolve, reject) => {
        if (isEnded) return resolve(done)
        finish = () => resolve(done)
        source.next().then(resolve, reject)
      }),
    return: async () => {
      end()
      return done
    },
  }
  return { results, end }
}

/**
 * A stream holds a connection slot until its connection ends, and ends when the access of its caller ends. When the
 * server stops, streams end with `complete`, and new ones get 503.
 */
export const createEventStreams = (
  app: FastifyInstance,
  {
    runtime,
    authenticate,
    admitConnection,
  }: Pick<Parts, 'runtime' | 'authenticate' | 'admitConnection'>,
): Plugin<Context> => {
  const streams = new Set<{ raw: FastifyReply['raw']; end(): void }>()
  let isClosing = false
  exportGauge(
    runtime.metrics.registry,
    { name: 'tessera_event_streams', help: 'Open event streams of GraphQL' },
    () => [[{}, streams.size]],
  )
  app.addHook('preClose', async () => {
    isClosing = true
    for (const { end } of streams) end()
    setTimeout(() => {
      for (const { raw } of streams) raw.destroy()
    }, endMs).unref()
  })
  return {
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const { req, reply, mediaType } = args.contextValue as Partial<StreamContext>
      if (!req || !reply) return
      const refuse = (error: TesseraError) =>
        setResultAndStopExecution({ errors: [refusal(error)] })
      if (mediaType !== streamType) return refuse(new TesseraError('NOT_ACCEPTABLE'))
      if (isClosing) return refuse(stopping())
      const leave = admitConnection(req.caller, req.ip)
      if (!leave) return refuse(tooMany())
      const { raw } = reply
      const { callers, sent } = req
      const stopWatching = watchCallers(callers, sent, authenticate, () => raw.destroy())
      const stream = { raw, end: () => {} }
      streams.add(stream)
      const forget = () => {
        streams.delete(stream)
        stopWatching()
        leave()
      }
      raw.once('close', forget)
      // The client may be gone already.
      if (raw.destroyed) forget()
      return {
        onSubscribeResult: ({ result, setResult }) => {
          if (!(Symbol.asyncIterator in result)) return
          const { results, end } = endable(result[Symbol.asyncIterator]())
          setResult(results)
          if (isClosing) end()
          else stream.end = end
        },
      }
    },
  }
}
