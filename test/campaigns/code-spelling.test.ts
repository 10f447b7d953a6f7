/**
 * Codes count however people and mail programs spell them: case, hyphens, blanks, invisible and full-width characters.
 * Neighbours that were looked for: codes of batches, win codes and referral codes, by REST, GraphQL and the page;
 * look-alikes of hyphens, blanks, characters without width, and full width; and codes that are others.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  codePrefix,
  drawCode,
  drawReferralCode,
  drawWinCode,
  isWinCode,
  normalCode,
} from '../../src/campaigns/code.rules.ts'
import { cryptoRandom } from '../../src/kit/random.ts'
import { createWorld, type World } from '../world.ts'
import { callsTo, makeCampaign, times } from './promotion.ts'

const hyphens = [
  0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xad, 0xff0d, 0xfe63, 0xfe58,
]
const invisible = [0x200b, 0x200c, 0x200d, 0x200e, 0x2060, 0xfeff, 0xad, 0x180e, 0x202a, 0x2069]
const blanks = [0x20, 0x09, 0x0a, 0x0d, 0xa0, 0x2002, 0x2009, 0x202f, 0x3000]
const text = (...points: number[]) => String.fromCodePoint(...points)

/** Each letter in full width. */
const wide = (code: string) =>
  code.replace(/[!-~]/g, (letter) => text(letter.charCodeAt(0) + 0xfee0))

const inside = (code: string, separator: string) => [...code].join(separator)

const spellingsOf = (code: string): string[] => [
  code.toLowerCase(),
  ` ${code}\n`,
  wide(code),
  wide(code.toLowerCase()),
  code.replaceAll('-', ''),
  code.replaceAll('-', ' '),
  code.replaceAll('-', ' - '),
  ...hyphens.map((point) => code.replaceAll('-', text(point))),
  ...[...invisible, ...blanks].map((point) => inside(code, text(point))),
]

describe('the stored form', () => {
  const drawn = [
    ...times(20, () => drawCode(codePrefix('summer-sale'), cryptoRandom)),
    ...times(20, () => drawCode(codePrefix('a'), cryptoRandom)),
    ...times(20, () => drawCode(codePrefix('win-it'), cryptoRandom)),
    ...times(20, () => drawWinCode(cryptoRandom)),
    ...times(20, () => drawReferralCode(cryptoRandom)),
  ]

  it('of a code that was drawn is the code, and of each spelling the same', () => {
    for (const code of drawn) {
      expect(normalCode(code)).toBe(code)
      for (const spelling of spellingsOf(code))
        expect(normalCode(spelling), JSON.stringify(spelling)).toBe(code)
    }
  })

  it('keeps win codes and codes of batches apart', () => {
    expect(drawn.filter(isWinCode)).toHaveLength(20)
    expect(isWinCode(normalCode('WIN-2345-6789'))).toBe(false)
  })

  it('of another code is another: other letters, a letter more or less', () => {
    for (const other of ['SUMM-7KQMXP4E', 'SUMM-7KQMXP4', 'SUMM-7KQMXP4DD', 'SUMM-7KQMXP4D!', ''])
      expect(normalCode(other)).not.toBe('SUMM-7KQMXP4D')
  })
})

describe('is accepted', () => {
  let world: World
  let call: ReturnType<typeof callsTo>
  let partnerSlug: string
  beforeAll(async () => {
    world = await createWorld()
    call = callsTo(world)
    const { partnerId: id } = world.partner
    partnerSlug = (await world.runtime.db.partner.findUniqueOrThrow({ where: { id } })).slug
  })
  afterAll(() => world.end())

  /** As a mail program may show it: a non-breaking hyphen, full-width letters, a space of no width. */
  const mangled = (code: string) =>
    `${text(0xfeff)} ${wide(code.toLowerCase()).replaceAll(wide('-'), text(0x2011))}${text(0x200b)}`

  const mutate = async (name: string, input: object, by?: object) => {
    const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
    const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) { __typename } }`
    return (await world.graphql(document, { input }, by)).body.data[name].__typename
  }

  const codesFor = async (slug: string): Promise<string[]> =>
    (await call.generate({ slug, batchSize: 4, pointsValue: 5 })).body.data.codes.map(mangled)

  const winCodeOf = async (slug: string, userId: string) =>
    mangled((await call.buy(slug, userId)).body.data.instantWin.winCode)

  const onPage = (slug: string, form: Record<string, string>) =>
    fetch(`${world.base}/campaign/${partnerSlug}/${slug}?env=test`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })

  test('a code of a batch, in REST, GraphQL and on the page', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    const [first = '', second = '', three = '', four = ''] = await codesFor(slug)
    expect((await call.verify({ code: first })).body.data.valid).toBe(true)
    expect((await call.redeem(slug, { code: first, userId: 'ann' })).status).toBe(200)
    const input = { campaign: { slug }, user: { externalId: 'ann' }, code: second }
    expect(await mutate('redeemCode', input)).toBe('RedeemCodePayload')
    const { body } = await world.graphql(
      'query ($code: String!) { campaignCode(code: $code) { status } }',
      { code: second },
    )
    expect(body.data.campaignCode.status).toBe('REDEEMED')
    const visit = { partnerSlug, slug, environment: 'TEST', externalId: 'ann', code: three }
    expect(await mutate('redeemPublicCode', visit, {})).toBe('RedeemPublicCodePayload')
    expect((await onPage(slug, { userId: 'ann', code: four })).status).toBe(200)
    expect(await call.balance('ann')).toBe(20)
  })

  test('a win code, in REST, GraphQL and on the page', async () => {
    const slug = await makeCampaign(world, 'golden-ticket')
    const winCode = await winCodeOf(slug, 'ben')
    expect((await call.redeemWin(slug, { winCode, userId: 'ben' })).status).toBe(200)
    const user = { externalId: 'ben' }
    const input = { campaign: { slug }, user, winCode: await winCodeOf(slug, 'ben') }
    expect(await mutate('redeemWinCode', input)).toBe('RedeemWinCodePayload')
    const form = { userId: 'ben', code: await winCodeOf(slug, 'ben') }
    expect((await onPage(slug, form)).status).toBe(200)
  })

  test('a referral code, in REST and GraphQL', async () => {
    const slug = await makeCampaign(world, 'summer-sale')
    await world.givePoints('cat', 1)
    const { referralCode } = (await call.referralCode(slug, 'cat')).body.data
    const code = `${mangled(referralCode.slice(0, 4))}-${referralCode.slice(4)}`
    const body = { referrerId: 'cat', refereeId: 'dan', referralCode: code }
    expect((await call.refer(slug, body)).status).toBe(200)
    const [referrer, referee] = [{ externalId: 'cat' }, { externalId: 'eve' }]
    const input = { campaign: { slug }, referrer, referee, referralCode: code }
    expect(await mutate('recordReferral', input)).toBe('RecordReferralPayload')
  })
})
