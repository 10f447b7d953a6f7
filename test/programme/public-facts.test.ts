/**
 * Goals and their grants, by who sends the calls: what only a public key said counts nowhere.
 * Neighbours that were looked for: each kind of fact, each category, types of other facts, all fields, lists, references, and
 * tokens of users. Which entries are facts is in test/journeys/facts.test.ts.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit/invariants.ts'
import { type SetGame, setGameMechanic } from '../../src/games/mechanic.ts'
import { ActivityCategory, Fact } from '../../src/generated/prisma/enums.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { settleDueGrants } from '../../src/programme/payer.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { createArena } from '../arena/arena-world.ts'
import { callsTo, makeCampaign } from '../campaigns/promotion.ts'
import { factCalls, root, secretHeader, tokenHeader } from '../journeys/fact-calls.ts'
import { createWorld, type Keys, type World } from '../world.ts'
import { countAll } from './goals.ts'
import { type Programme, programmeOf } from './programme.ts'

let world: World
let call: Programme
let newUser: ReturnType<typeof factCalls>['newUser']
beforeAll(async () => {
  world = await createWorld()
  call = programmeOf(world)
  ;({ newUser } = factCalls(world))
  const game = { description: '', segments: 8 }
  const reward = { tier: 'common', label: 'Points', weight: 1 }
  const games = [
    { gameType: 'NEON_WHEEL', name: 'Won', price: 50, type: 'points', value: 10 },
    { gameType: 'COSMIC_SLOTS', name: 'Lost', price: 30, type: 'xp', value: 0 },
    { gameType: 'ENIGMA_BOXES', name: 'Free', price: 0, type: 'xp', value: 0 },
  ]
  for (const { type, value, ...item } of games) {
    const set = { ...game, ...item, rewards: [{ ...reward, type, value }] } as unknown as SetGame
    await setGameMechanic(world.runtime, { ...world.tenant, ...set })
  }
})
afterEach(async () => {
  await endGoals()
  expect(await audit(world.server.database.pool)).toBe(0)
})
afterAll(() => world.end())

const started: { slug: string; by: Keys }[] = []

/** Starts a goal that is completed once, and gives a badge of its name. */
const startGoal = async (measure: object, target = 1, by = world.keys) => {
  const name = `goal-${randomUUID()}`
  const done = async (mutation: string, selection: string, input: object) => {
    const result = await call.mutate(mutation, selection, input as never, by)
    if (result.code) throw new Error(JSON.stringify(result))
  }
  await done('createReward', 'reward { name }', { name, kind: 'BADGE' })
  await done('createGoal', 'goal { slug }', {
    ...{ slug: name, name, window: 'EVER', repeat: 'ONCE' },
    tasks: [{ target, measure }],
    rewards: [{ slug: name }],
  })
  await done('startGoal', 'goal { slug }', { goal: { slug: name } })
  started.push({ slug: name, by })
  await countAll(world.runtime)
  return name
}

/** At most twenty measures meet in a fact. */
const endGoals = async () => {
  for (const { slug, by } of started.splice(0))
    await call.mutate('endGoal', 'goal { slug }', { goal: { slug } }, by)
  await countAll(world.runtime)
}

/** The badges that a user has. */
const badgesOf = async (userId: string, by = world.keys): Promise<string[]> => {
  await decideGoals(world.runtime)
  await settleDueGrants(world.runtime)
  const { body } = await world.get(`/v1/users/${userId}/grants?status=ISSUED&limit=100`, by.secret)
  return body.data.map(({ reward }: { reward: string }) => reward).sort()
}

/** Who sends a call: a public key says less than a secret one. */
type Sender = { key: string; isSecret: boolean; headers?: Record<string, string> }
const bySecret = (): Sender => ({ key: world.keys.secret, isSecret: true })
const byPublic = (): Sender => ({ key: world.keys.public, isSecret: false })

/** A call that only secret keys may make. */
const secretOnly = async (
  answer: Promise<{ status: number; text: string }>,
  { isSecret }: Sender,
) => {
  const { status, text } = await answer
  if (isSecret !== status < 300 || (!isSecret && status !== 401 && status !== 403))
    throw new Error(`${status} ${text}`)
}

const play = async (userId: string, { key, isSecret }: Sender, gameType: string) => {
  const path = '/v1/games/play'
  const beside = isSecret ? secretHeader(key) : {}
  const { status, text } = await world.post(path, world.keys.public, { userId, gameType }, beside)
  if (status !== 200) throw new Error(text)
}

const claimOffer = async (userId: string, { key, headers }: Sender) => {
  const path = `${root}/users/${userId}/offers`
  const given = { offerType: 'welcome_bonus', pointsValue: 5, creditsPoints: true }
  const { id } = (await world.post(path, world.keys.secret, given)).body.data.offer
  const { status, text } = await world.post(`${path}/${id}/claim`, key, {}, headers ?? {})
  if (status !== 200) throw new Error(text)
}

const redeemCode = async (userId: string, sender: Sender, userToken?: string) => {
  const slug = await makeCampaign(world, 'summer-sale')
  const batch = { slug, pointsValue: 5, batchSize: 2 }
  const [code, other] = (await callsTo(world).generate(batch)).body.data.codes
  await secretOnly(callsTo(world, sender.key).redeem(slug, { userId, code: other }), sender)
  if (sender.isSecret) return
  const { partnerId } = world.partner
  const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({
    where: { id: partnerId },
  })
  const input = { partnerSlug, slug, environment: 'TEST', externalId: userId, code, userToken }
  const { body } = await world.graphql(
    'mutation ($input: RedeemPublicCodeInput!) { redeemPublicCode(input: $input) { __typename } }',
    { input },
    {},
  )
  expect(body.data.redeemPublicCode.__typename).toBe('RedeemPublicCodePayload')
}

/** What makes each fact. */
const makers: Record<Fact, (userId: string, sender: Sender) => Promise<unknown>> = {
  POINTS_AWARDED: (userId, sender) =>
    secretOnly(
      world.post('/v1/points/award', sender.key, { userId, eventType: 'purchase' }),
      sender,
    ),
  GAME_PLAYED: (userId, sender) => play(userId, sender, 'COSMIC_SLOTS'),
  GAME_WON: (userId, sender) => play(userId, sender, 'NEON_WHEEL'),
  CAMPAIGN_EVENT: async (userId, sender) =>
    secretOnly(
      callsTo(world, sender.key).buy(await makeCampaign(world, 'summer-sale'), userId),
      sender,
    ),
  REFERRAL_MADE: async (userId, sender) => {
    const slug = await makeCampaign(world, 'summer-sale')
    const code = (await callsTo(world).referralCode(slug, userId)).body.data.referralCode
    const referral = { referrerId: userId, refereeId: await newUser(1), referralCode: code }
    await secretOnly(callsTo(world, sender.key).refer(slug, referral), sender)
  },
  CODE_REDEEMED: redeemCode,
  OFFER_CLAIMED: claimOffer,
  SESSION_WON: async () => {},
  ACTIVITY: async (userId, { key }) => {
    const event = { externalId: userId, category: 'CUSTOM', eventType: 'checkout' }
    expect((await world.post(`${root}/events`, key, event)).status).toBe(200)
  },
}

/** What counts whoever called, because it cost points. */
const costsPoints: Fact[] = ['GAME_PLAYED', 'GAME_WON']

describe.each(Object.values(Fact).filter((fact) => fact !== 'SESSION_WON'))('%s', (fact) => {
  test(`gives a grant by a secret key, and ${costsPoints.includes(fact) ? 'also' : 'none'} by a public one`, async () => {
    const [ann, ben] = [await newUser(), await newUser()]
    const goal = await startGoal({ facts: [fact] })
    await makers[fact](ann, bySecret())
    await makers[fact](ben, byPublic())
    expect(await badgesOf(ann)).toEqual([goal])
    expect(await badgesOf(ben)).toEqual(costsPoints.includes(fact) ? [goal] : [])
  })
})

test('a play that cost nothing counts nowhere, whoever called', async () => {
  const [ann, ben] = [await newUser(), await newUser()]
  await startGoal({ facts: ['GAME_PLAYED'] })
  await play(ann, bySecret(), 'ENIGMA_BOXES')
  await play(ben, byPublic(), 'ENIGMA_BOXES')
  expect(await badgesOf(ann)).toEqual([])
  expect(await badgesOf(ben)).toEqual([])
})

test('SESSION_WON gives a grant to the winner, and a public key cannot join or end a session', async () => {
  const { live } = world.partner
  const arena = await createArena(world)
  const goal = await startGoal({ facts: ['SESSION_WON'] }, 1, live)
  const { id } = await arena.publish({ entryFee: 500 })
  const { sessionId, seats } = await arena.play(id)
  const [winner, loser] = seats
  const result = { winnerId: winner.playerId }
  expect((await arena.report(sessionId, result, live.public)).status).toBe(403)
  expect((await arena.report(sessionId, result, winner.sessionToken)).status).toBe(200)
  expect(await badgesOf(winner.userId, live)).toEqual([goal])
  expect(await badgesOf(loser.userId, live)).toEqual([])
  const open = await arena.openSession(id)
  const guest = await arena.createUser(10)
  const path = `/v1/arena/games/sessions/${open.id}/join`
  expect((await world.post(path, live.public, { userId: guest })).status).toBe(401)
})

test('an offer that a backend claims counts, also with a public key beside its secret one', async () => {
  const user = await newUser()
  const goal = await startGoal({ facts: ['OFFER_CLAIMED'] })
  await claimOffer(user, { ...byPublic(), headers: secretHeader(world.keys.secret) })
  expect(await badgesOf(user)).toEqual([goal])
})

test('what a public key does with a token of the user counts where the server sees it', async () => {
  const user = await newUser()
  const { token } = await tokenCalls(world).mint(user)
  const sender = { ...byPublic(), headers: tokenHeader(token) }
  const seen = [
    await startGoal({ facts: ['OFFER_CLAIMED'] }),
    await startGoal({ facts: ['CODE_REDEEMED'] }),
  ]
  await startGoal({ facts: ['ACTIVITY'] })
  await claimOffer(user, sender)
  await redeemCode(user, sender, token)
  const event = { externalId: user, category: 'CUSTOM', eventType: 'checkout' }
  await world.post(`${root}/events`, world.keys.public, event, tokenHeader(token))
  expect(await badgesOf(user)).toEqual(seen.sort())
})

/** Types as other writers use them, and a new one. */
const types = [
  ...['checkout', 'game_play', 'signup', 'purchase', 'offer_claimed', 'code_redeemed'],
  ...['reversal', 'campaign_event', 'session_prize'],
]

/** All categories and types, each bare, with all fields, and with a reference. */
const activitiesOf = (userId: string) =>
  Object.values(ActivityCategory).flatMap((category) =>
    types.flatMap((eventType) => {
      const core = { externalId: userId, category, eventType }
      const metadata = { fact: 'ACTIVITY', isTrusted: true, earned: 1_000, amount: 20 }
      const fields = { sourceId: randomUUID(), points: 1_000, metadata }
      const times = { occurredAt: new Date().toISOString() }
      const reference = { reference: randomUUID() }
      return [
        core,
        { ...core, ...fields },
        { ...core, ...times, metadata },
        { ...core, ...reference },
      ]
    }),
  )

const ofGraphql = ({ externalId, ...more }: { externalId: string }) => ({
  user: { externalId },
  ...more,
})

/** Sends all activities by each way there is. Returns how many were stored. */
const sendAll = async (userId: string, key: string): Promise<number> => {
  const count = async (answer: Promise<{ status: number; text: string }>, n = 1) => {
    const { status, text } = await answer
    if (status >= 300 || /"(errors|code)":["[]/.test(text)) throw new Error(text.slice(0, 1_000))
    stored += n
  }
  let stored = 0
  for (const item of activitiesOf(userId)) await count(world.post(`${root}/events`, key, item))
  const events = activitiesOf(userId)
  await count(world.post(`${root}/track`, key, { events }), events.length)
  const by = key === world.keys.secret ? { secret: key } : { public: key }
  const activities = activitiesOf(userId).map(ofGraphql)
  await count(
    world.graphql(
      `mutation ($activities: [ActivityInput!]!) { trackActivities(input: { activities: $activities }) {
        ... on TrackActivitiesPayload { results { ... on Error { code } } } ... on Error { code } } }`,
      { activities },
      by,
    ),
    activities.length,
  )
  for (const input of activitiesOf(userId).filter(({ category }) => category === 'CUSTOM'))
    await count(
      world.graphql(
        'mutation ($input: TrackActivityInput!) { trackActivity(input: $input) { ... on Error { code } } }',
        { input: ofGraphql(input) },
        by,
      ),
    )
  return stored
}

test('activities of every category, type and field give each goal its grant by a secret key, and none by a public one', async () => {
  const [ann, ben] = [await newUser(0), await newUser(0)]
  // A secret key reaches each target exactly. Each type is one of nine, and half of the entries have an amount.
  const categories = Object.keys(ActivityCategory).length
  const ofType = (3 * categories + 1) * 4
  const own = [
    await startGoal({ facts: ['ACTIVITY'] }, ofType * types.length),
    await startGoal(
      { facts: ['ACTIVITY'], where: [{ key: 'amount', test: 'AT_LEAST', number: 20 }] },
      (ofType / 2) * types.length,
    ),
  ]
  for (const eventType of types)
    own.push(await startGoal({ facts: ['ACTIVITY'], eventTypes: [eventType] }, ofType))
  own.push(await startGoal({ facts: ['ACTIVITY'], of: 'DAYS' }))
  const amount = { of: 'ATTRIBUTE', attribute: 'amount' }
  own.push(await startGoal({ facts: ['ACTIVITY'], ...amount }, ofType * types.length * 10))
  // Activities are no other fact, whatever they say of themselves.
  for (const fact of Object.values(Fact))
    if (fact !== 'ACTIVITY') await startGoal({ facts: [fact] })
  const stored = await sendAll(ann, world.keys.secret)
  expect(stored).toBe(ofType * types.length)
  expect(await sendAll(ben, world.keys.public)).toBe(stored)
  expect(await badgesOf(ann)).toEqual(own.sort())
  expect(await badgesOf(ben)).toEqual([])
})

test('references of public keys do not take those of a backend', async () => {
  const [ann, ben] = [await newUser(0), await newUser(0)]
  const three = await startGoal({ facts: ['ACTIVITY'] }, 3)
  const four = await startGoal({ facts: ['ACTIVITY'] }, 4)
  const order = async (key: string, userId: string, n: number) => {
    const event = { externalId: userId, category: 'CUSTOM', eventType: 'order' }
    const answer = await world.post(`${root}/events`, key, { ...event, reference: `order-${n}` })
    expect(answer.status).toBeLessThan(300)
  }
  // Somebody with the key of the page is first, knows all references, and tries them again later.
  for (const userId of [ann, ben])
    for (const n of [1, 2, 3, 1, 2, 3]) await order(world.keys.public, userId, n)
  for (const n of [1, 2, 3, 3]) await order(world.keys.secret, ann, n)
  for (const n of [1, 2, 3, 4]) await order(world.keys.public, ann, n)
  expect(await badgesOf(ann)).toEqual([three])
  expect(await badgesOf(ben)).toEqual([])
  await order(world.keys.secret, ann, 4)
  expect(await badgesOf(ann)).toEqual([three, four].sort())
})
