/** The brand of a partner, and what campaigns and draws show of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '../campaigns/promotion.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let partnerSlug: string
beforeAll(async () => {
  world = await createWorld()
  const { partnerId: id } = world.partner
  partnerSlug = (await world.runtime.db.partner.findUniqueOrThrow({ where: { id } })).slug
})
afterAll(() => world.end())

const fields = `logoUrl color accent { light dark } imageUrl promoter terms termsUrl language`

const unset = {
  logoUrl: null,
  color: null,
  accent: null,
  imageUrl: null,
  promoter: null,
  terms: null,
  termsUrl: null,
  language: null,
}

const update = async (input: object, by?: object) => {
  const { body } = await world.graphql(
    `mutation ($input: UpdateBrandInput!) { result: updateBrand(input: $input) {
      ... on UpdateBrandPayload { brand { ${fields} version } }
      ... on ValidationError { errors { path message } } ... on Error { code } } }`,
    { input },
    by,
  )
  return body.data?.result ?? body.errors[0].extensions
}

const shownTo = async (by: object) => {
  const { body } = await world.graphql(
    `{ viewer { partner { brand { ${fields} version } } } }`,
    {},
    by,
  )
  return body.data.viewer.partner.brand
}

const brandOfCampaign = async (slug: string, environment: 'TEST' | 'LIVE' = 'TEST') => {
  const { body } = await world.graphql(
    `{ publicCampaign(partnerSlug: "${partnerSlug}", slug: "${slug}", environment: ${environment}) {
      brand { ${fields} } ... on Campaign { ownBrand { ${fields} } } } }`,
    {},
    environment === 'TEST' ? { secret: world.keys.secret } : {},
  )
  return body.data.publicCampaign
}

test('a brand is changed value by value in one environment, and public keys read it', async () => {
  expect(await shownTo({ public: world.keys.public })).toEqual({ ...unset, version: 0 })
  const first = await update({
    logoUrl: 'https://cdn.example.com/logo.svg',
    color: '#FFD84D',
    promoter: 'Acme Ltd',
    language: 'DE',
  })
  const set = {
    ...unset,
    logoUrl: 'https://cdn.example.com/logo.svg',
    color: '#FFD84D',
    accent: { light: expect.stringMatching(/^#[0-9a-f]{6}$/), dark: '#ffd84d' },
    promoter: 'Acme Ltd',
    language: 'DE',
  }
  expect(first.brand).toEqual({ ...set, version: 1 })
  const second = await update({ promoter: null, imageUrl: 'https://cdn.example.com/top.jpg' })
  expect(second.brand).toEqual({
    ...set,
    promoter: null,
    imageUrl: 'https://cdn.example.com/top.jpg',
    version: 2,
  })
  expect(await shownTo({ public: world.keys.public })).toEqual(second.brand)
  expect(await shownTo({ public: world.partner.live.public })).toEqual({ ...unset, version: 0 })
})

test('terms are a text or a link: the one replaces the other, and both are refused', async () => {
  const link = { termsUrl: 'https://example.com/terms' }
  expect((await update({ terms: 'One entry each.' })).brand).toMatchObject({
    terms: 'One entry each.',
    termsUrl: null,
  })
  expect((await update(link)).brand).toMatchObject({ terms: null, ...link })
  expect(await update({ ...link, terms: 'Both' })).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: ['termsUrl'] }],
  })
})

test.each([
  [{ logoUrl: 'http://example.com/logo.png' }, 'logoUrl'],
  [{ imageUrl: 'data:image/png;base64,AA' }, 'imageUrl'],
  [{ termsUrl: 'javascript:alert(1)' }, 'termsUrl'],
  [{ color: 'red' }, 'color'],
  [{ promoter: ' ' }, 'promoter'],
])('%j is refused', async (input, path) => {
  expect(await update(input)).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: [path] }],
  })
})

test('who may change campaigns may change the brand, and each change is in the audit log', async () => {
  expect(
    await update({ promoter: 'A' }, { bearer: await world.signInAs('ANALYST') }),
  ).toMatchObject({ code: 'RIGHT_REQUIRED' })
  expect(await update({ promoter: 'A' }, { public: world.keys.public })).toMatchObject({
    code: 'MISSING_API_SECRET',
  })
  const { brand } = await update({ promoter: 'B' }, { bearer: await world.signInAs('EDITOR') })
  expect(brand.promoter).toBe('B')
  const entry = await world.runtime.db.auditEntry.findFirstOrThrow({
    where: { action: 'updateBrand', refusal: null },
    orderBy: { id: 'desc' },
  })
  expect(entry.changes).toMatchObject([{ table: 'brand', field: 'promoter', from: null, to: 'B' }])
})

test('a campaign shows its own values, and those of the partner for the rest', async () => {
  await update({ color: '#112233', promoter: 'Acme Ltd', terms: 'One entry each.', language: null })
  const slug = await makeCampaign(world, 'golden-ticket', {
    brand: { color: '#AA0000', termsUrl: 'https://example.com/golden' },
  })
  const own = {
    ...unset,
    color: '#AA0000',
    accent: expect.any(Object),
    termsUrl: 'https://example.com/golden',
  }
  const { brand, ownBrand } = await brandOfCampaign(slug)
  expect(ownBrand).toEqual(own)
  expect(brand).toMatchObject({
    ...own,
    promoter: 'Acme Ltd',
    terms: null,
    logoUrl: expect.any(String),
    imageUrl: expect.any(String),
  })
  const { body } = await world.graphql(
    `mutation { updateCampaign(input: { campaign: { slug: "${slug}" }, brand: { color: null, termsUrl: null, language: DE } }) {
      ... on UpdateCampaignPayload { campaign { brand { color terms termsUrl language } } } } }`,
  )
  expect(body.data.updateCampaign.campaign.brand).toEqual({
    color: '#112233',
    terms: 'One entry each.',
    termsUrl: null,
    language: 'DE',
  })
})

test('a copied campaign keeps its own values, and a copied brand replaces the one in LIVE', async () => {
  const slug = await makeCampaign(world, 'summer-sale', { brand: { promoter: 'Summer Ltd' } })
  const bearer = await world.signInAs('OWNER')
  const { body } = await world.graphql(
    `mutation {
      copyBrandToLive { ... on CopyBrandToLivePayload { brand { promoter color version } } }
      cloneCampaign(input: { campaign: { slug: "${slug}" }, slug: "${slug}", toEnvironment: LIVE }) {
        ... on CloneCampaignPayload { campaign { ownBrand { promoter color } } } }
    }`,
    {},
    { bearer },
  )
  expect(body.data).toEqual({
    copyBrandToLive: { brand: { promoter: 'Acme Ltd', color: '#112233', version: 1 } },
    cloneCampaign: { campaign: { ownBrand: { promoter: 'Summer Ltd', color: null } } },
  })
})

test('concurrent first changes of a brand both count', async () => {
  const { test: keys } = await world.createPartner()
  const by = { secret: keys.secret }
  const results = await Promise.all([
    update({ promoter: 'Acme Ltd' }, by),
    update({ color: '#112233' }, by),
    update({ language: 'DE' }, by),
  ])
  expect(results.map(({ brand }) => brand.version).sort()).toEqual([1, 2, 3])
  expect(await shownTo({ public: keys.public })).toMatchObject({
    promoter: 'Acme Ltd',
    color: '#112233',
    language: 'DE',
    version: 3,
  })
})
