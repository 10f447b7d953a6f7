/**
 * The files of the console, built by `npm run pages`. Every path below `/console` that is not a file is a client-side
 * route.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, TesseraError } from '../kit/errors.ts'
import { findBuiltFiles, readIfThere, sendBuiltFile } from './built-files.ts'
import { html } from './html.ts'
import { answerErrorsAsPages, type PageParts, pageHeaders, policyOf } from './page.ts'
import type { Notice } from './texts/notices.ts'

const built = fileURLToPath(new URL('../generated/console', import.meta.url))

/** The placeholder in `index.html` for the nonce of style elements. Each answer has its own nonce. */
const noncePlace = '%CSP_NONCE%'

/**
 * Scripts are files of this server. Components add style elements, which carry the nonce. The frame shows the page of
 * a campaign.
 */
const policyWith = (nonce: string) =>
  policyOf({
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'frame-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
  })

const noticePage = ([title, text]: Notice) =>
  `<!doctype html>\n${
    html`<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tessera</title>
<h1>${title}</h1>
<p>${text}</p>
</html>`.text
  }\n`

const notBuilt: Notice = [
  'The console is not built',
  'Run “npm run pages” in the folder of this server, then start it again.',
]

const notices: Partial<Record<ErrorCode, Notice>> = {
  ROUTE_NOT_FOUND: [
    'There is no such file',
    'The console has been updated since you opened it. Reload the page.',
  ],
}

/** Serves the console, or says how to build it. */
export const mountConsolePage = async (
  app: FastifyInstance,
  { runtime, limit }: Pick<PageParts, 'limit'> & { runtime: Pick<PageParts['runtime'], 'log'> },
  folder = built,
): Promise<void> => {
  const index = readIfThere(join(folder, 'index.html'))?.toString()
  const files = findBuiltFiles(folder, {
    isHashed: (name) => name.startsWith('assets/'),
    headers: { 'cross-origin-resource-policy': 'same-origin' },
  })

  const sendNotice = (reply: FastifyReply, status: number, notice: Notice) =>
    reply.code(status).headers(pageHeaders(policyOf())).send(noticePage(notice))

  const sendIndex = (reply: FastifyReply) => {
    if (index === undefined) return sendNotice(reply, 503, notBuilt)
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(pageHeaders(policyWith(nonce))).send(index.replaceAll(noncePlace, nonce))
  }

  // A separate scope, because only these pages answer errors as HTML.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, runtime, notices, (_, reply, status, notice) =>
      sendNotice(reply, status, notice),
    )
    const onRequest = (request: FastifyRequest, reply: FastifyReply) => limit(request, reply, null)
    scope.get('/console', { onRequest }, (_, reply) => sendIndex(reply))
    scope.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
      const path = request.params['*']
      const file = files.get(path)
      if (file) return sendBuiltFile(request, reply, file())
      if (path.startsWith('assets/')) throw new TesseraError('ROUTE_NOT_FOUND')
      await limit(request, reply, null)
      return sendIndex(reply)
    })
  })
}
