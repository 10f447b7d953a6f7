/** The verifier, which shares no code with the server, against plays that the server drew. */
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Proof, verifyPlay } from '../../packages/verifier/play.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { playGames } from '../../src/games/play.ts'
import { rotatePlaySeed } from '../../src/games/play-seed.ts'
import { GameType } from '../../src/generated/prisma/enums.ts'
import { createWorld, type World } from '../world.ts'
import { proofFields, proofOf } from './proofs.ts'

const games = Object.values(GameType)
const playsOfGame = 10_000
const users = 10
const listed = 100

let world: World
/** The proofs of all plays, by game. */
const proofs = new Map<GameType, Proof[]>(games.map((game) => [game, []]))

const asProofs = `query ($user: String!, $after: String) { user(by: { externalId: $user }) {
  plays(first: ${listed}, after: $after) { pageInfo { endCursor hasNextPage } nodes { ${proofFields} } } } }`

const readProofs = async (user: string) => {
  for (let after: string | null = null; ; ) {
    const { body } = await world.graphql(asProofs, { user, after }, { public: world.keys.public })
    const { nodes, pageInfo } = body.data.user.plays
    for (const play of nodes) proofs.get(play.gameType)?.push(proofOf(play))
    if (!pageInfo.hasNextPage) return
    after = pageInfo.endCursor
  }
}

beforeAll(async () => {
  world = await createWorld()
  const { runtime, userKey } = world
  const names = Array.from({ length: users }, (_, n) => `player-${n}`)
  for (const name of names) await world.givePoints(name, 1)
  await runtime.db.$executeRaw`UPDATE game_mechanic SET points_to_unlock = 0`
  for (let round = 0; round < playsOfGame / users; round += 50)
    for (const gameType of games) {
      const plays = names.flatMap((name) =>
        Array.from({ length: 50 }, () => ({ ...userKey(name), gameType })),
      )
      const failed = (await playGames(runtime, plays)).filter((item) => item instanceof Error)
      if (failed[0]) throw failed[0]
    }
  for (const name of names) {
    await rotatePlaySeed(runtime, userKey(name), null)
    await readProofs(name)
  }
}, 300_000)
afterAll(async () => {
  expect(await audit(world.server.database.pool)).toBe(0)
  await world.end()
}, 60_000)

const isGood = (proof: Proof) => verifyPlay(proof).every(({ ok }) => ok)

describe.each(games)('of %s', (game) => {
  const own = () => proofs.get(game) as Proof[]

  it(`the verifier accepts ${playsOfGame} plays`, () => {
    expect(own()).toHaveLength(playsOfGame)
    expect(own().filter((proof) => !isGood(proof))).toEqual([])
  })

  const other = (hex: string | null) => (hex?.[0] === '0' ? '1' : '0') + hex?.slice(1)
  const changes: Record<string, (proof: Proof) => Partial<Proof>> = {
    'server seed': ({ serverSeed }) => ({ serverSeed: other(serverSeed) }),
    commitment: ({ commitment }) => ({ commitment: other(commitment) }),
    'client seed': ({ clientSeed }) => ({ clientSeed: `${clientSeed} ` }),
    nonce: ({ nonce }) => ({ nonce: nonce + 1 }),
    'version of the game': ({ gameVersion }) => ({ gameVersion: gameVersion + 1 }),
    game: ({ gameType }) => ({
      gameType: gameType === 'NEON_WHEEL' ? 'ENIGMA_BOXES' : 'NEON_WHEEL',
    }),
    weight: ({ rules }) => ({
      rules: rules.replace(/"weight":(\d+)/, (_, n) => `"weight":${+n + 1}`),
    }),
    'number of segments': ({ rules }) => ({
      rules: rules.replace(/"segments":(\d+)/, (_, n) => `"segments":${+n + 1}`),
    }),
    digest: ({ digest }) => ({ digest: other(digest) }),
    outcome: ({ outcome }) => {
      const [[key, value]] = Object.entries(outcome) as [[string, number | number[]]]
      const changed = Array.isArray(value) ? value.map((item) => item + 1) : value + 1
      return { outcome: { ...outcome, [key]: changed } }
    },
    'value of the reward': ({ reward }) => ({ reward: { ...reward, value: reward.value + 1 } }),
    'tier of the reward': ({ reward }) => ({
      reward: { ...reward, tier: reward.tier === 'epic' ? 'rare' : 'epic' },
    }),
    format: () => ({ version: 2 }),
  }
  it.each(Object.entries(changes))(
    'the verifier refuses every play with a changed %s',
    (_, change) => {
      const accepted = own()
        .slice(0, 2_000)
        .filter((proof) => isGood({ ...proof, ...change(structuredClone(proof)) }))
      expect(accepted).toEqual([])
    },
  )

  it('each reward comes as often as its weight says', () => {
    const [first] = own() as [Proof]
    const { rewards } = JSON.parse(first.rules) as { rewards: { label: string; weight: number }[] }
    const total = rewards.reduce((sum, { weight }) => sum + weight, 0)
    const chiSquare = rewards.reduce((sum, { label, weight }) => {
      const expected = (playsOfGame * weight) / total
      const found = own().filter(({ reward }) => reward.label === label).length
      return sum + (found - expected) ** 2 / expected
    }, 0)
    // The quantile at 4 in 100,000,000 for four degrees of freedom; the tables of the demo have five rewards at most.
    expect(rewards.length).toBeLessThanOrEqual(5)
    expect(chiSquare).toBeLessThan(40)
  })
})

it('each play of a user has a nonce of its own, without gaps', () => {
  const byClient = Map.groupBy([...proofs.values()].flat(), ({ clientSeed }) => clientSeed)
  expect(byClient.size).toBe(users)
  const count = (playsOfGame * games.length) / users
  const all = Array.from({ length: count }, (_, n) => n + 1)
  for (const plays of byClient.values())
    expect(plays.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual(all)
  const digests = new Set([...proofs.values()].flat().map(({ digest }) => digest))
  expect(digests.size).toBe(playsOfGame * games.length)
})

it('the program says what it found, with a code for scripts', async () => {
  const run = promisify(execFile)
  const folder = mkdtempSync(join(tmpdir(), 'play-'))
  const [good] = proofs.get('COSMIC_SLOTS') as [Proof]
  const answer = await world.get(`/v1/plays/${good.playId}/proof`, world.keys.public)
  expect(isGood(answer.body.data)).toBe(true)
  const verified = async (content: unknown) => {
    const file = join(folder, 'proof.json')
    writeFileSync(file, JSON.stringify(content))
    return run(process.execPath, ['bin/tessera.js', 'verify', file]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
  }
  expect(await verified(answer.body)).toEqual({ code: 0, stdout: expect.stringContaining('✓') })
  const bad = await verified({ ...good, nonce: good.nonce + 1 })
  expect(bad).toEqual({ code: 1, stdout: expect.stringContaining('does NOT hold') })
  expect((await verified({ ...good, serverSeed: null })).code).toBe(1)
  expect((await verified({})).code).toBe(1)
})
