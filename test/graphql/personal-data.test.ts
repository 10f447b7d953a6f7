import { parse, subscribe } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '../../src/accounts/key-authentication.ts'
import type { Context } from '../../src/kit/access/context.ts'
import { schema } from '../../src/schema.ts'
import { createWorld, type World } from '../world.ts'
import { mark, plant, plantOffer, userId } from './planted.ts'
import { deadEnds, type Root, rootFields, type Way, waysFrom } from './walk.ts'

let world: World
let args: Record<string, Record<string, unknown>>
let nodes: Record<string, { id: string }>

beforeAll(async () => {
  world = await createWorld()
  const { slug, agentId, matchId, game, sessionId, drawId, nodes: planted } = await plant(world)
  nodes = planted
  const { slug: partnerSlug } = await world.runtime.db.partner.findUniqueOrThrow({
    where: { id: world.partner.partnerId },
  })
  const { lotteryId } = await world.runtime.db.lotteryDraw.findUniqueOrThrow({
    where: { id: drawId },
  })
  args = {
    user: { by: { externalId: userId } },
    leaderboardAround: { user: { externalId: userId } },
    game: { gameType: 'NEON_WHEEL' },
    reward: { by: { slug: 'bonus' } },
    'Reward.availability': { user: { externalId: userId } },
    'Arena.agent': { id: agentId },
    'Arena.match': { id: matchId },
    'Arena.matchSnapshot': { id: matchId },
    'Arena.matches': { filter: { statuses: ['COMPLETED'] } },
    arenaMatchEvents: { arenaMatchId: matchId },
    arenaSessionMoves: { arenaSessionId: sessionId },
    'Arena.game': { by: { slug: game.slug } },
    'Arena.session': { id: sessionId },
    publicCampaign: { partnerSlug, slug },
    publicLotteryDraw: { id: drawId },
    publicLottery: { by: { id: lotteryId } },
    node: { id: globalId('User') },
    play: { id: globalId('Play') },
    goal: { by: { slug: 'planted-goal' } },
    offer: { id: globalId('Offer') },
    ledgerEntry: { id: globalId('LedgerEntry') },
    trackUser: { input: { user: { externalId: userId }, email: 'by@public.example' } },
    trackActivity: {
      input: {
        user: { externalId: userId },
        category: 'CUSTOM',
        eventType: 'checkout',
        reference: 'order-1',
      },
    },
    trackActivities: {
      input: {
        activities: [
          {
            user: { externalId: userId },
            category: 'CUSTOM',
            eventType: 'checkout',
            reference: 'order-1',
          },
        ],
      },
    },
    playGame: { input: { user: { externalId: userId }, gameType: 'NEON_WHEEL' } },
    rotatePlaySeed: { input: { user: { externalId: userId } } },
  }
}, 60_000)
afterAll(() => world.end())

const globalId = (type: string) => Buffer.from(`${type}:${nodes[type]?.id}`).toString('base64url')

type Kind = 'public' | 'secret'
type Shown = {
  text: string
  codes: string[]
  /** The fields and indexes in the paths of its errors. */
  refused: Set<string | number>
  /** An error has no path: nothing was executed. */
  isRefusedAsWhole: boolean
}

const ask = async (document: string, by: Kind = 'public'): Promise<Shown> => {
  const keys = { [by]: world.partner.live[by] }
  const { text, body } = await world.graphql(document, {}, keys)
  const errors: { path?: (string | number)[]; extensions?: { code: string } }[] = body.errors ?? []
  const codes = errors.map(({ extensions }) => extensions?.code as string)
  // A document that is refused as a whole would prove nothing about the schema.
  expect(codes, text).not.toContain('GRAPHQL_VALIDATION_FAILED')
  const isRefusedAsWhole = errors.some(({ path }) => !path)
  return {
    text,
    codes,
    refused: new Set(errors.flatMap(({ path = [] }) => path)),
    isRefusedAsWhole,
  }
}

/** The errors for a caller without the required credential. */
const refusals = ['MISSING_API_SECRET', 'INVALID_BEARER_TOKEN', 'MISSING_USER_TOKEN']

/** The name of a leaf in the answer. */
const aliasOf = (leaf: string) => leaf.match(/{ (\w+):/)?.[1] as string

/**
 * Everything that a way shows. A refused leaf may hide its neighbors, so it is queried alone, and they without it.
 * Leaves that are too complex together are queried in halves.
 */
const follow = async (way: Way, by?: Kind, leaves = way.leaves): Promise<string[]> => {
  const { text, codes, refused, isRefusedAsWhole } = await ask(way.document(leaves), by)
  if (isRefusedAsWhole && leaves.length > 1) {
    const middle = leaves.length >> 1
    const first = await follow(way, by, leaves.slice(0, middle))
    return [...first, ...(await follow(way, by, leaves.slice(middle)))]
  }
  expect(codes, text).not.toContain('DOCUMENT_TOO_COMPLEX')
  const alone = leaves.filter((leaf) => refused.has(aliasOf(leaf)))
  // A refusal on the way to the leaves hides nothing that fewer leaves would show.
  if (alone.length === 0 || leaves.length === 1) return [text]
  const texts = [text]
  for (const leaf of alone) texts.push((await ask(way.document([leaf]), by)).text)
  const others = leaves.filter((leaf) => !alone.includes(leaf))
  return others.length > 0 ? [...texts, ...(await follow(way, by, others))] : texts
}

const roots = (root: Root) => rootFields(root).map((field) => [field.name, field] as const)

test('with a secret key, the same paths show every planted value', async () => {
  const shown = []
  for (const name of ['user', 'leaderboard']) {
    const [, field] = roots('query').find(([root]) => root === name) ?? []
    for (const way of waysFrom('query', field as never, args)) {
      const texts = await follow(way, 'secret')
      shown.push(...texts.flatMap((text) => [...text.matchAll(/m4rk-\w+/g)].map(([word]) => word)))
    }
  }
  const kinds = [
    'award',
    'campaign',
    'email',
    'event',
    'metadata',
    'offer',
    'phone',
    'source',
    'tags',
    'ticket',
  ]
  expect([...new Set(shown)].sort()).toEqual(kinds.map((kind) => `${mark}-${kind}`))
})

/**
 * Goes all ways that show something.
 * @param renewed a way whose input has not been used
 */
const walk = async (ways: Way[], renewed = async (n: number) => ways[n] as Way) => {
  const ends = deadEnds()
  for (const [n, way] of ways.entries()) {
    if (ends.has(way)) continue
    const shown = await follow(await renewed(n))
    ends.note(way, shown)
    for (const text of shown) expect(text, way.document()).not.toContain(mark)
  }
}

describe('with a public key, no path through the schema shows what a secret key has sent', () => {
  test.each(roots('query'))('from %s', async (name, field) => {
    const [first, ...others] = waysFrom('query', field, args)
    const { text, codes } = await ask((first as Way).document(['__typename']))
    expect(text).not.toContain(mark)
    if (codes.some((code) => refusals.includes(code))) return
    expect(codes, `give ${name} arguments that find something: ${text}`).toEqual([])
    if (name === 'node' || name === 'nodes') return
    await walk([first as Way, ...others])
  })

  test.each(['User', 'Activity', 'Offer', 'Play', 'StageChange', 'LedgerEntry'])(
    'from a %s by its id',
    async (type) => {
      const field = rootFields('query').find(({ name }) => name === 'node')
      const ways = waysFrom('query', field as never, { node: { id: globalId(type) } }, type)
      await walk(ways)
    },
  )

  test.each(roots('mutation'))('from %s', async (name, field) => {
    const isOpen = name in args || name === 'claimOffer'
    const inputs = async () => {
      if (name !== 'claimOffer') return args
      const { id: offerId } = await plantOffer(world)
      return { claimOffer: { input: { user: { externalId: userId }, offerId } } }
    }
    const { text, codes } = await ask(
      (waysFrom('mutation', field, await inputs())[0] as Way).document(['__typename']),
    )
    expect(text).not.toContain(mark)
    if (codes.some((code) => refusals.includes(code))) return expect(isOpen).toBe(false)
    if (isOpen) expect(text).not.toMatch(/Error"/)
    const ways = waysFrom('mutation', field, args)
    await walk(ways, async (n) => waysFrom('mutation', field, await inputs())[n] as Way)
  })

  test.each(roots('subscription'))('from %s', async (_, field) => {
    const key = await authenticate(world.runtime, world.partner.live.public, 'public', '127.0.0.1')
    const context: Context = {
      ...world.runtime,
      callers: { public: key },
      requestId: 'walk',
      ip: '127.0.0.1',
    }
    for (const way of waysFrom('subscription', field, args)) {
      const document = parse(way.document())
      const stream = await subscribe({ schema, document, contextValue: context })
      if (!(Symbol.asyncIterator in stream)) {
        expect(refusals).toContain(
          (stream.errors?.[0]?.originalError as { code?: string } | undefined)?.code,
        )
        return
      }
      const { value } = await stream.next()
      expect(JSON.stringify(value), way.document()).not.toContain(mark)
      await stream.return?.()
    }
  })
})
