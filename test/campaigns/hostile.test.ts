import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { routes } from '../../src/rest/routes.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let slug: string
let good: Record<string, unknown>
beforeAll(async () => {
  world = await createWorld()
  slug = await makeCampaign(world, 'golden-ticket', {
    referralRules: { referrerPoints: 1, refereePoints: 1 },
  })
  await callsTo(world).buy(slug, 'ann')
  good = {
    slug,
    userId: 'ann',
    eventType: 'purchase',
    referrerId: 'ann',
    refereeId: 'ben',
    referralCode: 'ABCDEFGH',
    winCode: 'WIN-ABCD-EFGH-JKMN',
    code: 'GOLD-ABCDEFGH',
    batchSize: 1,
    pointsValue: 1,
  }
})
afterAll(() => world.end())

const bad: [string, unknown][] = [
  ['a number', 5],
  ['true', true],
  ['null', null],
  ['a list', ['ann']],
  ['an object', { $ne: '' }],
  ['nothing', ''],
  ['10 KB', 'x'.repeat(10_240)],
  ['256 characters', 'x'.repeat(256)],
  ['NUL', 'a\0b'],
  ['half a surrogate pair', 'a\ud800'],
]

const texts = ['userId', 'eventType', 'referrerId', 'refereeId', 'referralCode', 'winCode', 'code']
const posts = routes.filter(
  ({ method, path }) => method === 'POST' && path.startsWith('/v1/campaigns'),
)

describe.each(posts)('$path', ({ path }) => {
  const url = () => path.replace('{slug}', slug).replace('{batchId}', 'x')
  const openapiBody = async () => {
    const { body } = await world.get('/openapi.json')
    const request = body.paths[path].post.requestBody
    return Object.keys(request?.content['application/json'].schema.properties ?? {})
  }

  it.each(bad)('refuses %s in each text field, and names the field', async (_, value) => {
    const fields = await openapiBody()
    for (const field of fields.filter((name) => texts.includes(name))) {
      const { status, body } = await world.post(url(), world.keys.secret, {
        ...good,
        [field]: value,
      })
      expect([field, status]).toEqual([field, 400])
      expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([field])
    }
  })

  it('refuses bodies that are not objects', async () => {
    if ((await openapiBody()).length === 0) return
    for (const body of ['[]', '"x"', '5', 'null', '{', '{}']) {
      const answer = await world.post(url(), world.keys.secret, body)
      expect([body, answer.status]).toEqual([body, 400])
    }
  })

  it('needs a secret key', async () => {
    const missing = await world.post(url(), undefined, good)
    expect([missing.status, missing.body.message]).toEqual([401, 'Missing X-API-Secret header'])
    const other = await world.post(url(), world.keys.public, good)
    expect(other.status).toBe(401)
  })
})

describe('in a path', () => {
  it.each([
    '%00',
    'a%00b',
    '%F0%9F%92%A5',
    'x'.repeat(300),
    '..%2F..',
    'codes',
    '%20',
    '__proto__',
    'SUMMER',
  ])('a slug or user like %.20s is unknown, and no fault of ours', async (text) => {
    for (const { method, path } of routes.filter(({ path }) =>
      path.startsWith('/v1/campaigns/{'),
    )) {
      const asSlug = path.replace('{slug}', text).replace('{userId}', 'ann')
      const asUser = path.replace('{slug}', slug).replace('{userId}', text)
      for (const url of path.includes('{userId}') ? [asSlug, asUser] : [asSlug]) {
        const answer = await world.call(method, url, {
          key: world.keys.secret,
          ...(method === 'POST' && { body: { ...good, slug: undefined } }),
        })
        expect(answer.status, `${url}: ${answer.text}`).toBe(404)
        expect(answer.body.message).toMatch(/^Campaign (or user )?not found/)
      }
    }
  })
})

describe('the public page', () => {
  const page = (path: string, init: RequestInit = {}) => fetch(`${world.base}${path}`, init)
  const submit = (path: string, fields: Record<string, string> | string, headers = {}) =>
    page(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    })
  const script = `</style><script>alert(1)</script>"'&<img src=x onerror=alert(1)>`
  let path: string
  let marked: string
  beforeAll(async () => {
    const partner = await world.runtime.db.partner.findUniqueOrThrow({
      where: { id: world.partner.partnerId },
    })
    path = `/campaign/${partner.slug}`
    marked = await makeCampaign(world, 'golden-ticket', {
      name: script,
      description: script,
      eventRules: [{ eventType: script, points: 1 }],
      instantWinRules: {
        winRate: 0.000001,
        prizeTiers: [{ name: script, points: 1, weight: 1, maxWins: 1 }],
      },
    })
    await world.post('/v1/points/award', world.keys.secret, {
      userId: 'evil',
      eventType: 'signup',
      displayName: script,
    })
    await callsTo(world).record(marked, { userId: 'evil', eventType: script })
  })

  it('escapes all input and runs no script', async () => {
    const url = `${path}/${marked}?env=test`
    for (const answer of [
      await page(`${url}&user=${encodeURIComponent(script)}`),
      await submit(url, { userId: script, code: script }),
    ]) {
      const text = await answer.text()
      expect(text).not.toMatch(/<script|<img/)
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      // The style of all pages, and the colors of the campaign.
      expect(text.match(/<\/style>/g)).toHaveLength(2)
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'none'; style-src 'sha256-[\w+/=]+' 'sha256-[\w+/=]+'; connect-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      )
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it('answers malformed requests with a page and a fitting status', async () => {
    const url = `${path}/${slug}?env=test`
    const statuses = await Promise.all([
      page(`${path}/no-such?env=test`),
      page(`${path}/${slug}`), // not in LIVE
      page(`/campaign/no-partner/${slug}`),
      page(`/campaign/%00/${slug}`),
      page(`/campaign/${'x'.repeat(3000)}/y`),
      submit(url, ''),
      submit(url, { userId: 'ann' }),
      submit(url, { userId: 'a\0b', code: 'x' }),
      submit(url, { userId: 'x'.repeat(300), code: 'x' }),
      submit(url, `userId=a&userId=b&code=%FF%FE&__proto__=x`),
      submit(url, { code: 'x'.repeat(20_000) }),
      submit(url, '{}', { 'content-type': 'application/xml' }),
      submit(url, { userId: 'ann', code: 'GOLD-ABCDEFGH' }, { 'sec-fetch-site': 'cross-site' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([
      404, 404, 404, 404, 404, 400, 400, 400, 400, 400, 413, 415, 400,
    ])
    for (const answer of statuses) expect(await answer.text()).toMatch(/^<!doctype html>/)
  })

  it('answers the same for known and unknown users', async () => {
    const made = await callsTo(world).generate({ slug, batchSize: 2, pointsValue: 5 })
    const [first, second] = made.body.data.codes
    const url = `${path}/${slug}?env=test`
    const known = await (await submit(url, { userId: 'ann', code: first })).text()
    const unknown = await (await submit(url, { userId: 'nob', code: second })).text()
    const result = (text: string) => text.match(/<div class="result.*?<\/div>/s)?.[0]
    expect(result(known)).toContain('5 points earned!')
    expect(result(known)?.replace('ann', '')).toBe(result(unknown)?.replace('nob', ''))
  })

  it('accepts ten wrong codes of an address, on the page and in GraphQL together', async () => {
    await world.runtime.db.throttle.deleteMany()
    const url = `${path}/${slug}?env=test`
    const made = await callsTo(world).generate({ slug, batchSize: 1, pointsValue: 5 })
    const [code] = made.body.data.codes
    for (let i = 0; i < 9; i++)
      expect((await submit(url, { userId: `u-${i}`, code: 'GOLD-AAAAAAAA' })).status).toBe(400)
    const input = { partnerSlug: path.slice(10), slug, environment: 'TEST', externalId: 'u' }
    const redeem = async (code: string) =>
      (
        await world.graphql(
          `mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) {
            ... on Error { code } ... on RedeemPublicCodePayload { points } } }`,
          { input: { ...input, code } },
          {},
        )
      ).body.data.redeemPublicCode
    expect(await redeem('GOLD-AAAAAAAA')).toEqual({ code: 'INVALID_CODE' })
    const blocked = await submit(url, { userId: 'ann', code })
    expect([blocked.status, Number(blocked.headers.get('retry-after')) > 500]).toEqual([429, true])
    expect(await blocked.text()).toContain('Too many wrong codes')
    expect(await redeem(code)).toEqual({ code: 'RATE_LIMITED' })
    // Visitors do not lock out the backend of the partner.
    expect((await callsTo(world).redeem(slug, { code, userId: 'ann' })).status).toBe(200)
  })
})

it('none of these requests broke an invariant', async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
})
