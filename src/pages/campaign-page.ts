/**
 * The public page of a campaign, at its `pageUrl`. It is a client of the schema without a key, and requires no
 * JavaScript: a visitor enters a user id and a code, and reads the result. A visitor with a token enters no id.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment, PageLanguage } from '../generated/prisma/enums.ts'
import { type ErrorCode, errorTable, TesseraError } from '../kit/errors.ts'
import { bodyText, isDecodable } from '../kit/http/request-text.ts'
import { needsNewLink, refusalOf } from './campaign-refusals.ts'
import { campaignStyle } from './campaign-style.ts'
import {
  type CampaignView,
  campaignNoticePage,
  campaignPage,
  lookStyleOf,
  noticeLookStyle,
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
  type PageParts,
  pageHeaders,
  policyOf,
  prepareOperation,
} from './page.ts'
import { brandFields, imageSources } from './page-look.ts'
import { noticesIn } from './texts/notices.ts'
import { type Say, textsIn } from './texts/page-texts.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const styleHash = hashOf(campaignStyle)

/** Allows only the styles of the page, the pictures of its brand, and its form. */
const policyWith = (lookStyle: string, images: string[] = []) =>
  policyOf({
    'script-src': "'none'",
    'style-src': `${styleHash} ${hashOf(lookStyle)}`,
    'connect-src': "'none'",
    'form-action': "'self'",
    ...(images.length > 0 && { 'img-src': images.join(' ') }),
  })

/** The policy of a page with only a message. */
export const campaignCsp = policyWith(noticeLookStyle)

const query = `
  query ($partnerSlug: String!, $slug: String!, $environment: Environment!) {
    result: publicCampaign(partnerSlug: $partnerSlug, slug: $slug, environment: $environment) {
      name description partnerName timeZone environment phase startsAt endsAt takesCodes needsUserToken participantCount referrerPoints
      eventRules { eventType points }
      prizes { name points maxWins remainingCount }
      leaders { rank name campaignPoints }
      brand { ${brandFields} }
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

type Shown = { body: string; policy: string }

const send = (reply: FastifyReply, status: number, { body, policy }: Shown) =>
  reply.code(status).headers(pageHeaders(policy)).send(body)

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
  if (error instanceof TesseraError && needsNewLink(error.code))
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

/** A message in the language of the page. */
type Message = (say: Say) => NonNullable<Redemption['result']>

/** The message for a form that was shown for another user than the page is for now; undefined for any other form. */
const changedVisitor = (visitor: Visitor | undefined, shown: unknown): Message | undefined => {
  if (!visitor || shown === undefined || shown === visitor.userId) return undefined
  return (say) => ({
    good: false,
    title: say.text('otherUser'),
    text: say.text('otherUserNow', { user: visitor.userId }),
  })
}

/** What the page shows before a code is entered: the visitor or the user id of the link, and a question that is open. */
const openingOf = (runtime: PageParts['runtime'], request: FastifyRequest): Redemption => {
  const visitor = visitorIn(runtime, request)
  const next = visitorIn(runtime, request, 'next')
  const userId = visitor?.userId ?? textOf((request.query as { user?: unknown }).user).slice(0, 255)
  const requested = next && next.userId !== userId && { nextUserId: next.userId }
  return { userId, isKnown: !!visitor, code: '', ...requested }
}

/** The message for a redeemed code. */
const redeemed =
  ({ points: count, prize }: Redeemed, user: string): Message =>
  (say) => {
    const points = say.points(count)
    const title = prize
      ? say.text('won', { prize: prize.name, points })
      : say.text('earned', { points })
    return { good: true, title, text: say.text('earnedText', { user }) }
  }

/** @throws TesseraError MALFORMED_JSON for escapes that are not UTF-8, as for a body that is not */
const formFields = (form: string): Record<string, string> => {
  if (!isDecodable(form))
    throw new TesseraError('MALFORMED_JSON', { message: 'The request body is not UTF-8' })
  return Object.fromEntries(new URLSearchParams(form))
}

/** Shows the page of a campaign as it is now. */
const pageShower = (parts: PageParts) => {
  const readCampaign = prepareOperation<{ result: CampaignView | null }>(parts, query)

  return async (
    request: FastifyRequest,
    redemption: Redemption,
    message?: Message,
  ): Promise<Shown> => {
    const key = keyOf(request)
    const { result: view } = await readCampaign(request, key)
    if (!view) throw new TesseraError('CAMPAIGN_NOT_FOUND')
    const seed = `${key.partnerSlug}/${key.slug}`
    const result = message?.(textsIn(view.brand.language, view.timeZone))
    return {
      policy: policyWith(lookStyleOf(view, seed), imageSources(view.brand)),
      body: campaignPage(
        view,
        { ...redemption, ...(result && { result }) },
        { seed, action: `${pathOf(key)}${searchOf(key)}#redeem` },
      ),
    }
  }
}

export const mountCampaignPage = async (app: FastifyInstance, parts: PageParts): Promise<void> => {
  const show = pageShower(parts)
  const redeemCode = prepareOperation<{ result: Refused | Redeemed }>(parts, redeem)

  // A separate scope, because only this page parses forms and answers errors as HTML.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 16 * 1024 },
      (request, body, done) => done(null, formFields(bodyText(request, body as Buffer))),
    )
    const notices = (language: PageLanguage) => ({
      CAMPAIGN_NOT_FOUND: noticesIn(language).noCampaign,
    })
    answerErrorsAsPages(scope, parts.runtime, notices, (_, reply, status, notice, language) =>
      send(reply, status, {
        body: campaignNoticePage(...notice, status, language),
        policy: campaignCsp,
      }),
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
      if (changed) return send(reply, 409, await show(request, { ...shown, code }, changed))
      const input = { ...keyOf(request), externalId: userId, code, userToken: visitor?.token }
      const { result: answer } = await redeemCode(request, { input }).catch(refusedVisitor)
      if ('points' in answer) {
        const page = await show(request, { ...shown, code: '' }, redeemed(answer, userId))
        return send(reply, 200, page)
      }
      if (answer.code === 'CAMPAIGN_NOT_FOUND') throw new TesseraError(answer.code)
      if (answer.retryAfter != null) reply.header('retry-after', String(answer.retryAfter))
      const message: Message = (say) => ({ good: false, ...refusalOf(answer, say) })
      const page = await show(request, { ...shown, code }, message)
      return send(reply, errorTable[answer.code].status, page)
    })
  })
}
