/**
 * Visitors of a campaign name a user with a token, once an application of its environment requires tokens. Neighbours
 * that were looked for: links, forms and cookies of the page; tokens that are revoked, expired, invalid or of another
 * user; and applications without a key in the environment.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { type Answer, createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign } from './promotion.ts'

let world: World
let path: string
let slug: string
let codes: string[]
let tokens: ReturnType<typeof tokenCalls>

beforeAll(async () => {
  world = await createWorld()
  tokens = tokenCalls(world)
  const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({
    where: { id: world.partner.partnerId },
  })
  slug = await makeCampaign(world, 'summer-sale')
  path = `/campaign/${partnerSlug}/${slug}`
  const made = await callsTo(world).generate({ slug, batchSize: 10, pointsValue: 5 })
  codes = made.body.data.codes
})
afterAll(() => world.end())

const codeOf = ({ body }: Answer): string | undefined =>
  body.errors?.[0].extensions.code ?? body.data.redeemPublicCode.code

const redeem = (code: string, externalId: string, userToken?: string, header?: string) =>
  world.call('POST', '/graphql', {
    headers: header ? { 'x-user-token': header } : {},
    body: {
      query: `mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) {
        ... on Error { code } ... on RedeemPublicCodePayload { points } } }`,
      variables: {
        input: {
          partnerSlug: path.split('/')[2],
          slug,
          environment: 'TEST',
          externalId,
          code,
          userToken,
        },
      },
    },
  })

const needsUserToken = async (environment = 'TEST') =>
  (
    await world.graphql(
      `{ publicCampaign(partnerSlug: "${path.split('/')[2]}", slug: "${slug}", environment: ${environment}) {
        needsUserToken } }`,
      {},
      {},
    )
  ).body.data.publicCampaign?.needsUserToken

const rule = async (userTokenPolicy: 'OPTIONAL' | 'REQUIRED') =>
  expect((await tokens.setUp({ userTokenPolicy })).application.userTokenPolicy).toBe(
    userTokenPolicy,
  )

describe('while tokens are optional', () => {
  beforeAll(() => rule('OPTIONAL'))

  it('anybody may be named', async () => {
    expect(await needsUserToken()).toBe(false)
    expect(codeOf(await redeem(codes.shift() as string, 'ann'))).toBeUndefined()
    expect(await callsTo(world).balance('ann')).toBe(5)
  })

  it('a token counts, if there is one', async () => {
    const { token } = await tokens.mint('ben')
    expect(codeOf(await redeem(codes[0] as string, 'ann', token))).toBe('USER_TOKEN_OF_ANOTHER')
    expect(codeOf(await redeem(codes[0] as string, 'ann', 'x.y.z'))).toBe('INVALID_USER_TOKEN')
  })
})

describe('while an application requires tokens', () => {
  beforeAll(() => rule('REQUIRED'))

  it('a user is named with their token only', async () => {
    expect(await needsUserToken()).toBe(true)
    const [code = ''] = codes
    const { token } = await tokens.mint('ann')
    const live = await tokens.mint('ann', {}, world.partner.live.secret)
    const reading = await tokens.mint('ann', { scopes: ['READ'] })
    const other = await world.createPartner()
    const foreign = await tokens.mint('ann', {}, other.test.secret)
    const forged = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`
    for (const [sent, refusal] of [
      [undefined, 'MISSING_USER_TOKEN'],
      [forged, 'INVALID_USER_TOKEN'],
      [live.token, 'INVALID_USER_TOKEN'],
      [foreign.token, 'INVALID_USER_TOKEN'],
      ['x'.repeat(4096), 'INVALID_USER_TOKEN'],
      [reading.token, 'RIGHT_REQUIRED'],
      [(await tokens.mint('ben')).token, 'USER_TOKEN_OF_ANOTHER'],
    ] as const)
      expect(codeOf(await redeem(code, 'ann', sent)), refusal).toBe(refusal)
    expect(await callsTo(world).balance('ann')).toBe(5)
    expect(codeOf(await redeem(codes.shift() as string, 'ann', token))).toBeUndefined()
    // The token in the header takes precedence.
    expect(codeOf(await redeem(codes.shift() as string, 'ann', 'nonsense', token))).toBeUndefined()
    expect(await callsTo(world).balance('ann')).toBe(15)
  })

  it('a revoked token counts no more', async () => {
    const { token } = await tokens.mint('cleo')
    await world.post('/v1/users/cleo/token/revoke', world.keys.secret)
    expect(codeOf(await redeem(codes[0] as string, 'cleo', token))).toBe('INVALID_USER_TOKEN')
  })

  it('an application without a public key in this environment requires nothing there', async () => {
    const { db } = world.runtime
    const keys = {
      partnerId: world.partner.partnerId,
      kind: 'PUBLIC',
      environment: 'TEST',
    } as const
    const set = (revokedAt: Date | null) =>
      db.apiKey.updateMany({ where: keys, data: { revokedAt } })
    await set(new Date())
    expect(await needsUserToken()).toBe(false)
    await set(null)
    expect(await needsUserToken()).toBe(true)
  })
})

describe('the page', () => {
  const ask = (search: string, cookie = '', form?: Record<string, string>) =>
    fetch(`${world.base}${path}${search}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
  const cookieFor = async (userId: string, body: object = {}) => {
    const { token } = await tokens.mint(userId, body)
    const answer = await ask(`?env=test&token=${token}`)
    expect(answer.status).toBe(303)
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    return { answer, cookie, token }
  }
  beforeEach(() => rule('REQUIRED'))

  it('keeps the token of a link in a cookie of this page, and out of its address', async () => {
    const { answer, cookie, token } = await cookieFor('dan')
    expect(answer.headers.get('location')).toBe(`${path}?env=test`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(cookie).toBe(`tessera-visitor-test=${token}`)
    expect(answer.headers.get('set-cookie')).toContain(`; Path=${path}; HttpOnly; SameSite=Lax`)
    const text = await (await ask('?env=test', cookie)).text()
    expect(text).toContain('For <b>dan</b>')
    expect(text).not.toContain('name="userId"')
    expect(text).not.toContain(token)
  })

  it('redeems a code for the user of the token, whoever the form names', async () => {
    const { cookie } = await cookieFor('dan')
    const code = codes.shift() as string
    const answer = await ask('?env=test', cookie, { code, userId: 'ann' })
    expect(await answer.text()).toContain('They have been added for the user id “dan”.')
    expect(await callsTo(world).balance('dan')).toBe(5)
    expect(await callsTo(world).balance('ann')).toBe(15)
  })

  it('shows visitors without a token where to come from, and uses no code', async () => {
    expect(await (await ask('?env=test')).text()).toContain('open this page from the app')
    const answer = await ask('?env=test', '', { userId: 'ann', code: codes[0] as string })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('Please open this page again')
    expect(await callsTo(world).balance('ann')).toBe(15)
  })

  it('asks who comes with a token that no longer counts to come again', async () => {
    const { cookie } = await cookieFor('eve')
    await world.post('/v1/users/eve/token/revoke', world.keys.secret)
    const answer = await ask('?env=test', cookie, { code: codes[0] as string })
    expect([answer.status, await answer.text()]).toEqual([
      401,
      expect.stringContaining('Your code was not used.'),
    ])
    const reading = await cookieFor('fay', { scopes: ['READ'] })
    expect((await ask('?env=test', reading.cookie, { code: codes[0] as string })).status).toBe(403)
  })

  const cookiesOf = (answer: Response) =>
    answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])

  /** Opens a link for another user in a browser that has a cookie already. */
  const openLink = async (cookie: string, userId: string) => {
    const { token } = await tokens.mint(userId)
    const answer = await ask(`?env=test&token=${token}`, cookie)
    expect(answer.headers.get('location')).toBe(`${path}?env=test`)
    return { kept: cookiesOf(answer), token }
  }

  it('asks before a link for another user changes for whom codes are redeemed', async () => {
    const { cookie } = await cookieFor('gus')
    const mallory = '<b>"mallory"</b>'
    const { kept, token } = await openLink(cookie, mallory)
    expect(kept).toEqual([`tessera-visitor-next-test=${token}`])
    const both = `${cookie}; ${kept[0]}`
    const text = await (await ask('?env=test', both)).text()
    expect(text).toContain('From the link: <b>&lt;b&gt;&quot;mallory&quot;&lt;/b&gt;</b>')
    expect(text).toContain('Current: <b>gus</b>')
    expect(text).not.toContain('name="code"')
    expect(text).not.toContain(token)
    expect(text).not.toContain(mallory)
    const stay = await ask('?env=test', both, { visitor: mallory, answer: 'stay' })
    expect([stay.status, cookiesOf(stay)]).toEqual([303, ['tessera-visitor-next-test=']])
    const change = await ask('?env=test', both, { visitor: mallory, answer: 'change' })
    expect([change.status, cookiesOf(change)]).toEqual([
      303,
      [`tessera-visitor-test=${token}`, 'tessera-visitor-next-test='],
    ])
  })

  it('changes nothing without the answer of the visitor to what they were shown', async () => {
    const { cookie } = await cookieFor('gus')
    const both = `${cookie}; ${(await openLink(cookie, 'mallory')).kept[0]}`
    // Another link may have come in between.
    const other = await ask('?env=test', both, { visitor: 'hal', answer: 'change' })
    expect([other.status, cookiesOf(other)]).toEqual([303, []])
    // The browser sends no cookies with forms of other sites, and says where they come from.
    const bare = await ask('?env=test', '', { visitor: 'mallory', answer: 'change' })
    expect(cookiesOf(bare)).toEqual([])
    const foreign = await fetch(`${world.base}${path}?env=test`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: both, 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ visitor: 'mallory', answer: 'change' }),
    })
    expect([foreign.status, cookiesOf(foreign)]).toEqual([400, []])
  })

  it('asks nothing when the link is for the same user, and forgets an open question', async () => {
    const { cookie } = await cookieFor('gus')
    const { kept, token } = await openLink(cookie, 'gus')
    expect(kept).toEqual([`tessera-visitor-test=${token}`])
    const next = (await openLink(cookie, 'mallory')).kept[0]
    const again = await openLink(`${cookie}; ${next}`, 'gus')
    expect(again.kept).toEqual([
      `tessera-visitor-test=${again.token}`,
      'tessera-visitor-next-test=',
    ])
  })

  it('keeps the visitor when a link has no valid user, such as an expired token', async () => {
    const { cookie } = await cookieFor('gus')
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const claims of [{ sub: 'mallory', exp: 1 }, { sub: 7, exp: 1e11 }, { exp: 1e11 }]) {
      const token = `${part({ alg: 'HS256' })}.${part(claims)}.x`
      expect(cookiesOf(await ask(`?env=test&token=${token}`, cookie))).toEqual([])
    }
  })

  it('uses no code of a form that was shown for another user', async () => {
    const { cookie } = await cookieFor('ida')
    const form = { visitor: 'gus', code: codes[0] as string }
    const answer = await ask('?env=test', cookie, form)
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('Your code was not used.'),
    ])
    expect((await ask('?env=test', cookie, { ...form, visitor: 'ida' })).status).toBe(200)
    codes.shift()
  })

  it('sets no cookie for what is no token, and never faults', async () => {
    for (const token of [
      '',
      'x',
      'a.b.c;Path=/',
      'x'.repeat(4000),
      '%00',
      '%0d%0aset-cookie:a=b',
    ]) {
      const answer = await ask(`?env=test&token=${token}`)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null])
    }
    for (const odd of ['%0d%0ax', 'a%3bb', 'a%2f%2fb', '%00']) {
      const url = `${world.base}${path.replace(slug, odd)}?token=a.b.c`
      const answer = await fetch(url, { redirect: 'manual' })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^\/campaign\/[\w-]+\/[\w%-]+$/)
    }
    for (const cookie of ['tessera-visitor-test=x', 'tessera-visitor-test=a.b.c', ';;='])
      expect((await ask('?env=test', cookie)).status).toBe(200)
  })
})
