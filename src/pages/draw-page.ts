/** The public page of a draw. It is a client of the schema without a key. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PageLanguage } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import { isUuid } from '../kit/validation.ts'
import { type DrawOfPage, drawNoticePage, drawPage, lookStyleOf } from './draw-page-view.ts'
import {
  answerErrorsAsPages,
  type PageParts,
  pageHeaders,
  policyOf,
  prepareOperation,
} from './page.ts'
import { servePageFile } from './page-file.ts'
import { brandFields, imageSources } from './page-look.ts'
import { noticesIn } from './texts/notices.ts'

const query = `
  query ($id: ID!, $ticketRef: String!, $isAsked: Boolean!) {
    draw: publicLotteryDraw(id: $id) {
      uuid lotteryName number environment status opensAt closesAt drawsAt drawnAt
      ticketCount listedCount settledRate commitment root seed mainNumbers bonusNumbers
      finalRules { maxTicketsPerUser }
      rules { jackpot { amountCents currency } tiers { name mainMatches bonusMatches amount { amountCents currency } potShareBasisPoints } }
      pot { amountCents currency }
      payout { amountCents currency }
      tiers { winnerCount payout { amountCents currency } }
      partnerName timeZone brand { ${brandFields} }
      ticketPosition(ticketRef: $ticketRef) @include(if: $isAsked)
    }
  }`

/** Allows the style with the colors of the brand, and its pictures. */
const headersWith = (style = '', images: string[] = []) => ({
  ...pageHeaders(
    policyOf({
      ...(style && {
        'style-src': `'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      }),
      'img-src': ['data:', ...images].join(' '),
      'form-action': "'self'",
    }),
  ),
  'cache-control': 'no-cache',
})

const headers = headersWith()

const notices = (language: PageLanguage) => ({ DRAW_NOT_FOUND: noticesIn(language).noDraw })

/** The ticket that a browser without JavaScript asks for. */
const askedOf = ({ query }: FastifyRequest): string | null => {
  const { ticket } = query as { ticket?: unknown }
  return typeof ticket === 'string' && ticket !== '' && ticket.length <= 60
    ? ticket.trim().toUpperCase()
    : null
}

/** @param mountFiles mounts the files of draws, whose errors are answered as pages, too */
export const mountDraws = async (
  app: FastifyInstance,
  parts: PageParts,
  mountFiles: (scope: FastifyInstance) => void,
): Promise<void> => {
  const readDraw = prepareOperation<{ draw: DrawOfPage | null }>(parts, query)
  servePageFile(app, '/draws/check.js', '../generated/verifier/draw-check.js')
  servePageFile(app, '/draws/page.css', 'draw.css')
  servePageFile(app, '/draws/check.css', 'draw-check.css')
  servePageFile(app, '/draws/proof.css', 'draw-proof.css')

  // A separate scope, because only these URLs answer errors as HTML.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, parts.runtime, notices, (_, reply, status, notice, language) =>
      reply
        .code(status)
        .headers(headers)
        .send(drawNoticePage(status, notice, language)),
    )
    mountFiles(scope)
    scope.get<{ Params: { drawId: string } }>(
      '/draws/:drawId',
      { onRequest: (request, reply) => parts.limit(request, reply, null) },
      async (request, reply) => {
        const { drawId: id } = request.params
        const ticketRef = askedOf(request)
        const variables = { id, ticketRef: ticketRef ?? '', isAsked: ticketRef !== null }
        const { draw } = isUuid(id) ? await readDraw(request, variables) : {}
        if (!draw) throw new TesseraError('DRAW_NOT_FOUND')
        return reply
          .headers(headersWith(lookStyleOf(draw), imageSources(draw.brand)))
          .send(drawPage(draw, ticketRef))
      },
    )
  })
}
