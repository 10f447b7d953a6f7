/**
 * The public page of a campaign, at its `pageUrl`. It is a client of the schema without a key, and requires no
 * JavaScript: a visitor enters a user id and a code, and reads the result. A visitor with a token enters no id.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../generated/prisma/enums.ts'
import { type ErrorCode, errorTable, TesseraError } from '../kit/errors.ts'
import { bodyText, isDecodable } from '../kit/http/request-text.ts'
import { newLink, refusalOf, refusals } from './campaign-refusals.ts'
import { campaignStyle } from './campaign-style.ts'
import {
  type CampaignView,
  campaignNoticePage,
  campaignPage,
  type Redemption,
} from './campaign-view.ts'
import {
  isToken,
  readVisitor,
  type Visitor,
  type VisitorRole,
  visitorCookie,
  visitorOf,
} from './campaign-visitor.ts'
import {
  answerErrorsAsPages,
  type Notice,
  type PageParts,
  pageHeaders,
  policyOf,
  prepareOperation,
} from './page.ts'

const styleHash = createHash('sha256').update(campaignStyle).digest('base64')

/** Allows only this style, and the form of the page. */
export const campaignCsp = policyOf({
  'script-src': "'none'",
  'style-src': `'sha256-${styleHash}'`,
  'connect-src': "'none'",
  'form-action': "'self'",
})

const query = `
  query ($partnerSlug: String!, $slug: String!, $environment: Environment!) {
    result: publicCampaign(partnerSlug: $partnerSlug, slug: $slug, environment: $environment) {
      name description partnerName environment phase startsAt endsAt takesCodes needsUserToken participantCount referrerPoints
      eventRules { eventType points }
      prizes { name points maxWins remainingCount }
      leaders { rank name campaignPoints }
    }
  }`

const redeem = `
  mutation ($input: RedeemPublicCodeInput!) {
    result: redeemPublicCode(input: $input) {
      __typename
      ... on RedeemPublicCodePayload { points prize { name } }
      ... on Error { code }
      ... on LimitError { retryAfter: retryAfterSeconds }
    }
  }`

type Params = { partnerSlug: string; slug: string }
type Key = Params & { environment: Environment }

type Refused = { __typename?: string; code: ErrorCode; retryAfter?: number | null }
type Redeemed = {
  __typename: 'RedeemPublicCodePayload'
  points: number
  prize: { name: string } | null
}

const pointsInWords = (value: number) =>
  `${value.toLocaleString('en-GB')} ${value === 1 ? 'point' : 'points'}`

const send = (reply: FastifyReply, status: number, body: string) =>
  reply.code(status).headers(pageHeaders(campaignCsp)).send(body)

const notices: Partial<Record<ErrorCode, Notice>> = {
  CAMPAIGN_NOT_FOUND: [
    'There is no such campaign',
    'Check the address, or ask the sender of the link.',
  ],
}

/** A field of a form or a query that is a single text; otherwise empty. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const keyOf = (request: FastifyRequest): Key => ({
  ...(request.params as Params),
  environment: textOf((request.query as { env?: unknown }).env) === 'test' ? 'TEST' : 'LIVE',
})

const pathOf = ({ partnerSlug, slug }: Key) =>
  `/campaign/${encodeURIComponent(partnerSlug)}/${encodeURIComponent(slug)}`
const searchOf = ({ environment }: Key) => (environment === 'TEST' ? '?env=test' : '')

/** A refusal of the visitor's identity is an error of the whole operation. */
const refusedVisitor = (error: unknown): { result: Refused } => {
  if (error instanceof TesseraError && refusals[error.code] === newLink)
    return { result: { code: error.code } }
  throw error
}

const visitorIn = (
  { clock }: PageParts['runtime'],
  request: FastifyRequest,
  role: VisitorRole = 'current',
) => visitorOf(request, { environment: keyOf(request).environment, role }, clock())

/** Sets cookies of the visitor, and leads to the page without a token in its URL. */
const sendToPage = (
  { config }: Pick<PageParts['runtime'], 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: { role: VisitorRole; token?: string }[],
) => {
  const key = keyOf(request)
  const path = pathOf(key)
  for (const cookie of cookies)
    reply.header('set-cookie', visitorCookie(config, { ...cookie, ...key, path }))
  return reply.headers(pageHeaders(campaignCsp)).redirect(path + searchOf(key), 303)
}

/** Moves the token of a link into a cookie, and out of the URL. For another user than before, the page asks first. */
const keepToken = (
  runtime: PageParts['runtime'],
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => {
  if (!isToken(token)) return sendToPage(runtime, request, reply, [])
  const current = visitorIn(runtime, request)
  const next = readVisitor(token, runtime.clock())
  const isAsked = visitorIn(runtime, request, 'next') !== undefined
  if (!current || current.userId === next?.userId)
    return sendToPage(runtime, request, reply, [
      { role: 'current', token },
      ...(isAsked ? [{ role: 'next' } as const] : []),
    ])
  return sendToPage(runtime, request, reply, next ? [{ role: 'next', token }] : [])
}

/** Takes the answer of a visitor to a link for another user, who must still be the one that the page showed. */
const changeVisitor = (
  runtime: PageParts['runtime'],
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, visitor }: { answer?: unknown; visitor?: unknown },
) => {
  const next = visitorIn(runtime, request, 'next')
  if (answer !== 'change') return sendToPage(runtime, request, reply, [{ role: 'next' }])
  if (next?.userId !== visitor) return sendToPage(runtime, request, reply, [])
  const { token } = next as Visitor
  return sendToPage(runtime, request, reply, [{ role: 'current', token }, { role: 'next' }])
}

/** The message for a form that was shown for another user than the page is for now; undefined for any other form. */
const changedVisitor = (visitor: Visitor | undefined, shown: unknown) => {
  if (!visitor || shown === undefined || shown === visitor.userId) return undefined
  return {
    good: false,
    title: 'This page is now for another user',
    text: `Your code was not used. Redeem it again if the points are meant for “${visitor.userId}”.`,
  }
}

/** What the page shows before a code is entered: the visitor or the user id of the link, and a question that is open. */
const openingOf = (runtime: PageParts['runtime'], request: FastifyRequest): Redemption => {
  const visitor = visitorIn(runtime, request)
  const next = visitorIn(runtime, request, 'next')
  const userId = visitor?.userId ?? textOf((request.query as { user?: unknown }).user).slice(0, 255)
  const asked = next && next.userId !== userId && { nextUserId: next.userId }
  return { userId, isKnown: !!visitor, code: '', ...asked }
}

/** The message for a redeemed code. */
const redeemed = ({ points, prize }: Redeemed, userId: string) => ({
  good: true,
  title: `${prize ? `${prize.name}: ` : ''}${pointsInWords(points)}${prize ? '!' : ' earned!'}`,
  text: `They have been added for the user id “${userId}”.`,
})

/** @throws TesseraError MALFORMED_JSON for escapes that are not UTF-8, as for a body that is not */
const formFields = (form: string): Record<string, string> => {
  if (!isDecodable(form))
    throw new TesseraError('MALFORMED_JSON', { message: 'The request body is not UTF-8' })
  return Object.fromEntries(new URLSearchParams(form))
}

export const mountCampaignPage = async (app: FastifyInstance, parts: PageParts): Promise<void> => {
  const readCampaign = prepareOperation<{ result: CampaignView | null }>(parts, query)
  const redeemCode = prepareOperation<{ result: Refused | Redeemed }>(parts, redeem)

  const show = async (request: FastifyRequest, redemption: Redemption) => {
    const key = keyOf(request)
    const { result: view } = await readCampaign(request, key)
    if (!view) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    return campaignPage(view, redemption, {
      seed: `${key.partnerSlug}/${key.slug}`,
      action: `${pathOf(key)}${searchOf(key)}#redeem`,
    })
  }

  // A separate scope, because only this page parses forms and answers errors as HTML.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 16 * 1024 },
      (request, body, done) => done(null, formFields(bodyText(request, body as Buffer))),
    )
    answerErrorsAsPages(scope, parts.runtime, notices, (_, reply, status, notice) =>
      send(reply, status, campaignNoticePage(...notice)),
    )
    const path = '/campaign/:partnerSlug/:slug'
    const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
      parts.limit(request, reply, null)

    scope.get(path, { onRequest }, async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      if (token !== undefined) return keepToken(parts.runtime, request, reply, textOf(token))
      return send(reply, 200, await show(request, openingOf(parts.runtime, request)))
    })

    scope.post(path, { onRequest }, async (request, reply) => {
      // CSRF protection: forms of other sites must not try codes through their visitors.
      if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string))
        throw new TesseraError('BAD_REQUEST', { message: 'Please open the page and use its form.' })
      const body = (request.body ?? {}) as Record<string, unknown>
      if (body.answer !== undefined) return changeVisitor(parts.runtime, request, reply, body)
      const visitor = visitorIn(parts.runtime, request)
      const userId = visitor?.userId ?? textOf(body.userId).trim()
      const code = textOf(body.code).trim()
      const shown = { userId, isKnown: !!visitor }
      const changed = changedVisitor(visitor, body.visitor)
      if (changed) return send(reply, 409, await show(request, { ...shown, code, result: changed }))
      const input = { ...keyOf(request), externalId: userId, code, userToken: visitor?.token }
      const { result: answer } = await redeemCode(request, { input }).catch(refusedVisitor)
      if ('points' in answer) {
        const redemption = { ...shown, code: '', result: redeemed(answer, userId) }
        return send(reply, 200, await show(request, redemption))
      }
      if (answer.code === 'CAMPAIGN_NOT_FOUND') throw new TesseraError(answer.code)
      const redemption = { ...shown, code, result: { good: false, ...refusalOf(answer) } }
      if (answer.retryAfter != null) reply.header('retry-after', String(answer.retryAfter))
      return send(reply, errorTable[answer.code].status, await show(request, redemption))
    })
  })
}
