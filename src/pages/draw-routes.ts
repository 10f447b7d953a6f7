/** Public addresses of draws: the page, its files, and what it takes to verify a draw. No credentials. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TesseraError } from '../core/errors.ts'
import type { TakeSeat } from '../core/http/seats.ts'
import type { Runtime } from '../core/runtime.ts'
import { isUuid } from '../core/validation.ts'
import type { DrawView } from '../lotteries/draw-view.ts'
import {
  findTicket,
  getProof,
  inclusionOf,
  publishedList,
  publishedText,
} from '../lotteries/proof.ts'
import { publishedOnce } from '../lotteries/published.ts'
import { drawPage, noticePage } from './draw.ts'
import { html } from './html.ts'
import { answerErrorsAsPages, type Notice, type PageParts, pageHeaders, policyOf } from './page.ts'
import { servePageFile } from './page-file.ts'

const headers = {
  ...pageHeaders(policyOf({ 'img-src': 'data:', 'form-action': "'self'" })),
  'cache-control': 'no-cache',
}

const notices = {
  DRAW_NOT_FOUND: [
    'No such draw',
    'The address is not that of a draw. Ask who gave it to you.',
  ] satisfies Notice,
}

/**
 * A draw of a lottery that is no draft; there is nothing in it that is not for everybody.
 * @throws TesseraError DRAW_NOT_FOUND
 */
const findDraw = async ({ db }: Runtime, id: string): Promise<DrawView> => {
  const draw =
    isUuid(id) &&
    (await db.lotteryDraw.findFirst({
      where: { id, lottery: { status: { not: 'DRAFT' } } },
      include: { lottery: true },
    }))
  if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
  return draw
}

type Params = { drawId: string; ref: string }

/** Longer lists are read anew for each reader, part by part. */
const keptTickets = 50_000

/** What a proof depends on: the draw as it is, since its tickets stay as they are once it has closed. */
const versionOf = ({ lottery: { slug }, ...draw }: DrawView) =>
  hash(
    'sha256',
    JSON.stringify([slug, draw], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    'base64url',
  )

export const mountDraws = async (
  app: FastifyInstance,
  { runtime, limit, takeSeat }: PageParts & { takeSeat: TakeSeat },
): Promise<void> => {
  servePageFile(app, '/draws/check.js', 'draw-check.js')
  servePageFile(app, '/draws/page.css', 'draw.css')

  // In a scope of its own: errors as HTML are for these addresses alone.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, runtime, notices, (_, reply, status, notice) =>
      reply.code(status).headers(headers).send(noticePage(status, notice)),
    )
    const get = (
      path: string,
      answer: (draw: DrawView, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    ) =>
      scope.get(
        path,
        { onRequest: (request, reply) => limit(request, reply, null) },
        async (request, reply) =>
          answer(await findDraw(runtime, (request.params as Params).drawId), request, reply),
      )

    get('/draws/:drawId', async (draw, request, reply) => {
      const { ticket: ref } = request.query as { ticket?: unknown }
      const isAsked =
        typeof ref === 'string' && ref !== '' && ref.length <= 60 && draw.root !== null
      const asked = isAsked ? await sayOf(runtime, draw, ref) : null
      return reply.headers(headers).send(drawPage(draw, asked))
    })

    get('/draws/:drawId/proof.json', async (draw, request, reply) => {
      const version = versionOf(draw)
      const make = async () => Buffer.from(JSON.stringify(await getProof(runtime, draw)))
      const content = () =>
        draw.root ? publishedOnce(runtime.db, `${draw.id} proof ${version}`, make) : make()
      reply
        .header('content-disposition', `attachment; filename="draw-${draw.id}-proof.json"`)
        .type('application/json; charset=utf-8')
      return isKnown(request, reply, version) ? reply.send() : reply.send(await content())
    })

    get('/draws/:drawId/tickets.txt', async (draw, request, reply) => {
      if (!draw.root) throw new TesseraError('DRAW_NOT_FOUND')
      reply.type('text/plain; charset=utf-8')
      if (isKnown(request, reply, Buffer.from(draw.root).toString('base64url'))) return reply.send()
      if (draw.tickets <= keptTickets) return reply.send(await publishedText(runtime.db, draw))
      // Whoever reads slowly holds a part of the list in memory: no more of them than of other streams.
      const leave = takeSeat(null, request.ip)
      if (!leave)
        throw new TesseraError('RATE_LIMITED', { limit: null, current: null, retryAfter: 1 })
      reply.raw.once('close', leave)
      const lines = async function* () {
        for await (const part of publishedList(runtime.db, draw)) yield `${part.join('\n')}\n`
      }
      return reply.send(Readable.from(lines(), { highWaterMark: 1 }))
    })

    get('/draws/:drawId/tickets/:ref', async (draw, request, reply) => {
      const ticket = await findTicket(runtime.db, draw, (request.params as Params).ref)
      if (!ticket || !draw.root) return reply.code(404).send({ found: false })
      const proof = await getProof(runtime, draw, { withList: false })
      return reply.send({ ...proof, ticket: await inclusionOf(runtime.db, draw, ticket) })
    })
  })
}

/** Names the version of what is sent; answers 304 when the browser has it. */
const isKnown = (request: FastifyRequest, reply: FastifyReply, version: string) => {
  const etag = `"${version}"`
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] !== etag) return false
  reply.code(304)
  return true
}

/** What the server says of a ticket to a browser that cannot check it. */
const sayOf = async ({ db }: Runtime, draw: DrawView, sent: string) => {
  const ref = sent.trim().toUpperCase()
  const ticket = await findTicket(db, draw, ref)
  const answer = ticket
    ? html`<p>The list has this ticket at place ${ticket.ticketNo}. To check that, and what it won, allow JavaScript for this page, or use the proof below.</p>`
    : html`<p class="result bad">This draw has no ticket of that reference.</p>`
  return { ref, answer }
}
