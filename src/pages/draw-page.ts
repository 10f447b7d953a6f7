/** Public URLs of draws: the page, its files, and what is needed to verify a draw. They require no credentials. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TesseraError } from '../core/errors.ts'
import type { AdmitConnection } from '../core/http/connection-limit.ts'
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
import { drawNoticePage, drawPage } from './draw-page-view.ts'
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
 * A draw of a lottery that is not a draft. All of it is public.
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

/** Longer lists are not cached, and are read part by part for each reader. */
const keptTickets = 50_000

/** What a proof depends on: the state of the draw. Its tickets no longer change once it has closed. */
const versionOf = ({ lottery: { slug }, ...draw }: DrawView) =>
  hash(
    'sha256',
    JSON.stringify([slug, draw], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    'base64url',
  )

// Long: one address after another.
export const mountDraws = async (
  app: FastifyInstance,
  { runtime, limit, admitConnection }: PageParts & { admitConnection: AdmitConnection },
): Promise<void> => {
  servePageFile(app, '/draws/check.js', 'draw-check.js')
  servePageFile(app, '/draws/page.css', 'draw.css')
  servePageFile(app, '/draws/check.css', 'draw-check.css')
  servePageFile(app, '/draws/proof.css', 'draw-proof.css')

  // A separate scope, because only these URLs answer errors as HTML.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, runtime, notices, (_, reply, status, notice) =>
      reply.code(status).headers(headers).send(drawNoticePage(status, notice)),
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
        draw.root ? publishedOnce(runtime, `${draw.id} proof ${version}`, make) : make()
      reply
        .header('content-disposition', `attachment; filename="draw-${draw.id}-proof.json"`)
        .type('application/json; charset=utf-8')
      return isKnown(request, reply, version) ? reply.send() : reply.send(await content())
    })

    get('/draws/:drawId/tickets.txt', async (draw, request, reply) => {
      if (!draw.root) throw new TesseraError('DRAW_NOT_FOUND')
      reply.type('text/plain; charset=utf-8')
      if (isKnown(request, reply, Buffer.from(draw.root).toString('base64url'))) return reply.send()
      if (draw.tickets <= keptTickets) return reply.send(await publishedText(runtime, draw))
      // A slow reader keeps a part of the list in memory. So their number is limited, as for other streams.
      const leave = admitConnection(null, request.ip)
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

/** Sets the ETag, and answers 304 if the browser has this version. */
const isKnown = (request: FastifyRequest, reply: FastifyReply, version: string) => {
  const etag = `"${version}"`
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (request.headers['if-none-match'] !== etag) return false
  reply.code(304)
  return true
}

/** The answer about a ticket for a browser that cannot verify it. */
const sayOf = async ({ db }: Runtime, draw: DrawView, sent: string) => {
  const ref = sent.trim().toUpperCase()
  const ticket = await findTicket(db, draw, ref)
  const answer = ticket
    ? html`<p>The list has this ticket at place ${ticket.ticketNo}. To check that, and what it won, allow JavaScript for this page, or use the proof below.</p>`
    : html`<p class="result bad">This draw has no ticket of that reference.</p>`
  return { ref, answer }
}
