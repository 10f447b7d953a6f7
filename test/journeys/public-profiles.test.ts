import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { trackUsers } from '../../src/journeys/identify.ts'
import { routes } from '../../src/rest/routes.ts'
import { mark, plant, plantOffer, userId } from '../graphql/planted.ts'
import { createWorld, type World } from '../world.ts'

let world: World
/** Values of path parameters. */
const paths: Record<string, string> = {
  userId,
  externalId: userId,
  gameType: 'NEON_WHEEL',
  slug: 'bonus',
}

beforeAll(async () => {
  world = await createWorld()
  await plant(world)
  const { id: offerId } = await plantOffer(world)
  const { id: playId } = await world.runtime.db.play.findFirstOrThrow({
    where: { user: { externalId: userId } },
  })
  Object.assign(paths, { offerId, playId })
}, 60_000)
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
})

const root = '/v1/user-journeys/users'
const { post, get } = {
  post: (path: string, body?: unknown) => world.post(path, world.partner.live.public, body),
  get: (path: string) => world.get(path, world.partner.live.public),
}

/** Sets what the application of the keys shows, as a member does. */
const show = async (publicProfiles: 'FULL' | 'MASKED') => {
  const bearer = await world.signInAs('OWNER')
  const input = {
    applicationId: world.partner.applicationId,
    publicProfileVisibility: publicProfiles,
  }
  const { body } = await world.graphql(
    `mutation ($input: UpdateApplicationInput!) { updateApplication(input: $input) {
      ... on UpdateApplicationPayload { application { publicProfileVisibility } } } }`,
    { input },
    { bearer },
  )
  expect(body.data.updateApplication).toEqual({
    application: { publicProfileVisibility: publicProfiles },
  })
  // No node caches a key for longer.
  await new Promise((resolve) => setTimeout(resolve, 4_100))
}

/** Sets data of a user with a secret key; returns the fields of the user. */
const say = async ({ externalId, ...known }: Record<string, unknown>) => {
  const input = { user: { externalId }, ...known }
  const { body } = await world.graphql(
    `mutation ($input: TrackUserInput!) { trackUser(input: $input) {
      ... on TrackUserPayload { user { displayName email metadata journey { phone tags } } } } }`,
    { input },
    { secret: world.partner.live.secret },
  )
  const { journey, ...user } = body.data.trackUser.user
  return { ...user, ...journey }
}

const secretly = {
  displayName: 'Planted',
  email: `${mark}-email@x.example`,
  phone: `${mark}-phone`,
  tags: { is: `${mark}-tags` },
  metadata: { is: `${mark}-metadata` },
}
const unset = { email: '', phone: '', tags: {}, metadata: {} }

describe('while the application shows whole profiles', () => {
  it('a public key sees all documented fields of a profile, and the metadata of an offer', async () => {
    expect((await get(`${root}/${userId}`)).body.data).toMatchObject(secretly)
    const { body } = await get(`${root}/${userId}/offers`)
    expect(body.data.offers[0].metadata).toEqual({ is: `${mark}-offer` })
  })

  it('it sees plays and what public keys sent on a timeline, but not what a secret key sent', async () => {
    const sent = { category: 'CUSTOM', eventType: 'looked', metadata: { page: 'home' } }
    await post('/v1/user-journeys/events', { externalId: userId, ...sent })
    const { body, text } = await get(`${root}/${userId}/timeline?limit=100`)
    expect(text).not.toContain(mark)
    const events: { eventType: string; metadata: object }[] = body.data.events
    const metadataOf = (type: string) =>
      events.find(({ eventType }) => eventType === type)?.metadata
    expect(metadataOf('looked')).toEqual({ page: 'home' })
    expect(metadataOf('game_play')).toHaveProperty('gameType', 'NEON_WHEEL')
    for (const hidden of ['signup', 'checkout', 'purchase']) expect(metadataOf(hidden)).toEqual({})
  })

  it('the reference of an event does not reveal what a secret key sent', async () => {
    const again = { category: 'CUSTOM', eventType: 'x', reference: 'order-1' }
    const { body } = await post('/v1/user-journeys/events', { externalId: userId, ...again })
    // References of public keys are apart.
    expect(body.data).toMatchObject({ eventType: 'x', metadata: {} })
  })
})

describe('a field that a secret key has set', () => {
  it('stays when a public key changes or unsets it; the answer shows the stored value', async () => {
    const other = {
      displayName: 'Mallory',
      email: 'mallory@x.example',
      phone: '666',
      tags: { a: 1 },
      metadata: { a: 1 },
    }
    const answer = await post(root, { externalId: userId, ...other, country: 'AT' })
    expect(answer.body.data).toMatchObject({ ...secretly, country: 'AT' })
    await post(root, { externalId: userId, displayName: '', email: '', phone: '', tags: {} })
    expect((await get(`${root}/${userId}`)).body.data).toMatchObject(secretly)
    const { balance } = await world
      .get(`/v1/users/${userId}/balance`, world.partner.live.secret)
      .then(({ body }) => ({ balance: body.data }))
    expect(balance).toMatchObject({ displayName: 'Planted', email: secretly.email })
  })

  it('can be changed and unset by a secret key; then a public key can set it', async () => {
    const externalId = 'freed'
    await say({ externalId, email: 'a@x.example', phone: '1', tags: { a: 1 } })
    expect(await say({ externalId, email: 'b@x.example', phone: null, displayName: 'B' })).toEqual({
      displayName: 'B',
      email: 'b@x.example',
      phone: null,
      tags: { a: 1 },
      metadata: {},
    })
    const { body } = await post(root, { externalId, phone: '2', email: 'c@x.example' })
    expect(body.data).toMatchObject({ phone: '2', email: 'b@x.example' })
    expect((await post(root, { externalId, phone: '3' })).body.data.phone).toBe('3')
  })

  it('replaces the value of a public key, also by an award, and then stays', async () => {
    const externalId = 'claimed'
    const mine = { displayName: 'Mine', email: 'mine@x.example' }
    await post(root, { externalId, ...mine })
    const award = { userId: externalId, eventType: 'signup', email: 'ours@x.example' }
    await world.post('/v1/points/award', world.partner.live.secret, award)
    const { body } = await post(root, { externalId, displayName: 'Still mine', email: '' })
    expect(body.data).toMatchObject({ displayName: 'Still mine', email: 'ours@x.example' })
  })

  it('wins over a public key in the same group commit', async () => {
    const tenant = { partnerId: world.partner.partnerId, environment: 'LIVE' as const }
    const call = (name: string, email: string, isTrusted: boolean) => ({
      ...world.userKey(name, tenant),
      email,
      isTrusted,
    })
    const profiles = await trackUsers(world.runtime, [
      call('first', 'secret@x.example', true),
      call('first', 'public@x.example', false),
      call('last', 'public@x.example', false),
      call('last', 'secret@x.example', true),
      call('alone', 'public@x.example', false),
    ])
    expect(profiles).toMatchObject([
      ...Array(4).fill({ user: { email: 'secret@x.example', emailBySecret: true } }),
      { user: { email: 'public@x.example', emailBySecret: false } },
    ])
  })
})

describe('while the application masks profiles', () => {
  beforeAll(() => show('MASKED'))

  it('a public key sees unset what a secret key has set, and what public keys have set', async () => {
    expect((await get(`${root}/${userId}`)).body.data).toMatchObject({
      ...unset,
      displayName: 'Planted',
      country: 'AT',
    })
    const own = { email: 'own@x.example', phone: '1', tags: { a: 1 }, metadata: { b: 2 } }
    expect((await post(root, { externalId: 'own', ...own })).body.data).toMatchObject(own)
    expect((await get(`${root}/own`)).body.data).toMatchObject(own)
  })

  const bodies: Record<string, object> = {
    '/v1/games/play': { userId, gameType: 'NEON_WHEEL' },
    '/v1/user-journeys/users': { externalId: userId, email: 'x@x.example', phone: '5' },
    '/v1/user-journeys/events': {
      externalId: userId,
      category: 'CUSTOM',
      eventType: 'x',
      reference: 'order-1',
    },
    '/v1/user-journeys/track': {
      events: [{ externalId: userId, category: 'CUSTOM', eventType: 'x', reference: 'order-1' }],
    },
  }

  it.each(
    routes
      // These need the token of the user, who sees everything.
      .filter(({ key, path }) => key === 'public' && !/\/grants|\/(join|buy)$/.test(path))
      .map((route) => [route.method, route.path] as const),
  )('%s %s shows nothing that a secret key has sent', async (method, path) => {
    const url = path.replace(/\{(\w+)\}/g, (_, name) => paths[name] as string)
    const answer = await world.call(method, method === 'GET' ? `${url}?limit=100` : url, {
      key: world.partner.live.public,
      ...(bodies[path] && { body: bodies[path] }),
    })
    expect(answer.status, answer.text).toBe(200)
    // How a user was found is not an address, so it may be in `source`.
    expect(answer.text.replace(`${mark}-source`, '')).not.toContain(mark)
  })

  it('secret keys and members see everything', async () => {
    const document = `{ user(by: { externalId: "${userId}" }) {
      displayName email metadata journey { phone tags } activities(first: 100) { nodes { metadata } } } }`
    const { activities, journey, ...user } = (
      await world.graphql(document, {}, { secret: world.partner.live.secret })
    ).body.data.user
    expect({ ...user, ...journey }).toEqual(secretly)
    for (const kind of ['award', 'event', 'campaign'])
      expect(JSON.stringify(activities)).toContain(`${mark}-${kind}`)
  })
})
