/**
 * The public page of a campaign, at its `gameUrl`. It is a client of the schema without a key, and requires no
 * JavaScript: a visitor enters a user id and a code, and reads the result. A visitor with a token enters no id.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorTable, TesseraError } from '../core/errors.ts'
import { bodyText } from '../core/http/body-text.ts'
import { isDecodable } from '../core/http/url-text.ts'
import type { Environment } from '../generated/prisma/enums.ts'
import { campaignStyle } from './campaign-style.ts'
import {
  type CampaignView,
  campaignNoticePage,
  campaignPage,
  type Redemption,
} from './campaign-view.ts'
import { visitorCookie, visitorOf } from './campaign-visitor.ts'
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
const campaignCsp = policyOf({
  'script-src': "'none'",
  'style-src': `'sha256-${styleHash}'`,
  'connect-src': "'none'",
  'form-action': "'self'",
})

const query = `
  query ($partnerSlug: String!, $slug: String!, $environment: Environment!) {
    result: publicCampaign(partnerSlug: $partnerSlug, slug: $slug, environment: $environment) {
      name description partnerName environment phase startsAt endsAt takesCodes needsUserToken participantCount
      referralRules { referrerReward }
      eventRules { eventType points }
      instantWin { tiers { name points maxWins remainingCount } }
      leaders { rank name campaignPoints }
    }
  }`

const redeem = `
  mutation ($input: RedeemPublicCodeInput!) {
    result: redeemPublicCode(input: $input) {
      __typename
      ... on RedeemPublicCodePayload { points prizeTier { name } }
      ... on Error { code }
      ... on LimitError { retryAfter }
    }
  }`

type Params = { partnerSlug: string; slug: string }
type Key = Params & { environment: Environment }

/** For a visitor without a valid token. */
const newLink = {
  title: 'Please open this page again',
  text: 'Follow the link in the app or on the website that brought you here. Your code was not used.',
}

/** The message for a visitor whose code was refused. */
const refusals: Partial<Record<ErrorCode, { title: string; text: string }>> = {
  INVALID_CODE: {
    title: 'We do not know this code',
    text: 'Check it for typing mistakes. After the hyphen there is no O and no 0, no I, no 1 and no L.',
  },
  CODE_REDEEMED: {
    title: 'This code has been redeemed already',
    text: 'Each code works once.',
  },
  CODE_EXPIRED: { title: 'This code has expired', text: 'Its time to be redeemed is over.' },
  CODE_REVOKED: { title: 'This code is no longer valid', text: 'It was withdrawn.' },
  INVALID_WIN_CODE: {
    title: 'This win code is not valid',
    text: 'Check it, and your user id: only who won a prize can redeem it, and only for a while.',
  },
  WIN_CODE_REDEEMED: {
    title: 'This prize has been redeemed already',
    text: 'Each win code works once.',
  },
  CAMPAIGN_NOT_ACTIVE: {
    title: 'The campaign takes no codes right now',
    text: 'Keep your code, and look again later.',
  },
  MISSING_USER_TOKEN: newLink,
  INVALID_USER_TOKEN: newLink,
  USER_TOKEN_OF_ANOTHER: newLink,
  RIGHT_REQUIRED: newLink,
  VALIDATION_FAILED: {
    title: 'Something is missing',
    text: 'Enter your user id and your code.',
  },
}

const refusalOf = ({ code, retryAfter }: { code: ErrorCode; retryAfter?: number | null }) => {
  if (code !== 'RATE_LIMITED')
    return refusals[code] ?? { title: errorTable[code].message, text: 'Please try again.' }
  const minutes = Math.ceil((retryAfter ?? 60) / 60)
  return {
    title: 'Too many wrong codes',
    text: `For safety, codes are taken from here again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  }
}

type Refused = { __typename?: string; code: ErrorCode; retryAfter?: number | null }
type Redeemed = {
  __typename: 'RedeemPublicCodePayload'
  points: number
  prizeTier: { name: string } | null
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

const visitorIn = ({ clock }: PageParts['runtime'], request: FastifyRequest) =>
  visitorOf(request, keyOf(request).environment, clock())

/** Moves the token of a link into a cookie, and out of the URL. */
const keepToken = (
  { config }: Pick<PageParts['runtime'], 'config'>,
  reply: FastifyReply,
  visit: Key & { token: string },
) => {
  const path = pathOf(visit)
  const cookie = visitorCookie(config, { ...visit, path })
  if (cookie) reply.header('set-cookie', cookie)
  return reply.headers(pageHeaders(campaignCsp)).redirect(path + searchOf(visit), 303)
}

/** The message for a redeemed code. */
const redeemed = ({ points, prizeTier }: Redeemed, userId: string) => ({
  good: true,
  title: `${prizeTier ? `${prizeTier.name}: ` : ''}${pointsInWords(points)}${prizeTier ? '!' : ' earned!'}`,
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
      const { user, token } = request.query as { user?: unknown; token?: unknown }
      if (token !== undefined)
        return keepToken(parts.runtime, reply, { ...keyOf(request), token: textOf(token) })
      const visitor = visitorIn(parts.runtime, request)
      const userId = visitor?.userId ?? textOf(user).slice(0, 255)
      return send(reply, 200, await show(request, { userId, isKnown: !!visitor, code: '' }))
    })

    scope.post(path, { onRequest }, async (request, reply) => {
      // CSRF protection: forms of other sites must not try codes through their visitors.
      if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string))
        throw new TesseraError('BAD_REQUEST', { message: 'Please open the page and use its form.' })
      const body = (request.body ?? {}) as Record<string, unknown>
      const visitor = visitorIn(parts.runtime, request)
      const userId = visitor?.userId ?? textOf(body.userId).trim()
      const code = textOf(body.code).trim()
      const shown = { userId, isKnown: !!visitor }
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
