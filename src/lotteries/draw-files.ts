/** The published files of draws, with which anyone can verify them. They require no credentials. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TesseraError } from '../kit/errors.ts'
import type { Parts } from '../kit/http/http-parts.ts'
import { type DrawView, findPublicDraw } from './draw-view.ts'
import {
  findTicket,
  getProof,
  inclusionOf,
  publishedList,
  publishedOnce,
  publishedText,
} from './proof.ts'

type Params = { drawId: string; ref: string }

/** Longer lists are not cached but streamed to each reader. */
const keptTickets = 50_000

/** The version of a proof: a hash of the state of the draw. Its tickets do not change after it has closed. */
const versionOf = ({ lottery: { slug }, ...draw }: DrawView) =>
  hash(
    'sha256',
    JSON.stringify([slug, draw], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    'base64url',
  )

/** Sets the ETag, and answers 304 if the browser has this version. */
const isKnown = (request: FastifyRequest, reply: FastifyReply, version: string) => {
  const etag = `"${version}"`
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] !== etag) return false
  reply.code(304)
  return true
}

/** Serves the files under `/draws`. The scope handles errors. */
export const mountDrawFiles = (
  scope: FastifyInstance,
  { runtime, limit, admitConnection }: Parts,
): void => {
  const get = (
    path: string,
    answer: (draw: DrawView, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    scope.get(
      `/draws/:drawId${path}`,
      { onRequest: (request, reply) => limit(request, reply, null) },
      async (request, reply) => {
        const draw = await findPublicDraw(runtime, (request.params as Params).drawId)
        if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
        return answer(draw, request, reply)
      },
    )

  get('/proof.json', async (draw, request, reply) => {
    const version = versionOf(draw)
    const make = async () => Buffer.from(JSON.stringify(await getProof(runtime, draw)))
    const content = () =>
      draw.root ? publishedOnce(runtime, `${draw.id} proof ${version}`, make) : make()
    reply
      .header('content-disposition', `attachment; filename="draw-${draw.id}-proof.json"`)
      .type('application/json; charset=utf-8')
    return isKnown(request, reply, version) ? reply.send() : reply.send(await content())
  })

  get('/tickets.txt', async (draw, request, reply) => {
    if (!draw.root) throw new TesseraError('DRAW_NOT_FOUND')
    reply.type('text/plain; charset=utf-8')
    if (isKnown(request, reply, Buffer.from(draw.root).toString('base64url'))) return reply.send()
    if (draw.tickets <= keptTickets) return reply.send(await publishedText(runtime, draw))
    // A slow reader keeps a part of the list in memory, so the number of readers is limited, as for other streams.
    const leave = admitConnection(null, request.ip)
    if (!leave)
      throw new TesseraError('RATE_LIMITED', { limit: null, current: null, retryAfter: 1 })
    reply.raw.once('close', leave)
    const lines = async function* () {
      for await (const part of publishedList(runtime.db, draw)) yield `${part.join('\n')}\n`
    }
    return reply.send(Readable.from(lines(), { highWaterMark: 1 }))
  })

  get('/tickets/:ref', async (draw, request, reply) => {
    const ticket = await findTicket(runtime.db, draw, (request.params as Params).ref)
    if (!ticket || !draw.root) return reply.code(404).send({ found: false })
    const proof = await getProof(runtime, draw, { withList: false })
    return reply.send({ ...proof, ticket: await inclusionOf(runtime.db, draw, ticket) })
  })
}
