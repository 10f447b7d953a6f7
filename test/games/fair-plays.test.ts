/** The seeds of users: what is shown of them and when, how they are replaced, and that no play escapes them. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Proof, verifyPlay } from '../../packages/verifier/play.ts'
import { audit } from '../../src/cli/audit/invariants.ts'
import { GameType } from '../../src/generated/prisma/enums.ts'
import { createDatabase, createWorld, onPostgres, type World } from '../world.ts'

const games = Object.values(GameType)
const times = <T>(count: number, run: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => run(i))

const callsTo = (world: World) => {
  const key = world.keys.public
  const path = (userId: string) => `/v1/users/${userId}/play-seeds`
  const play = async (userId: string, gameType: string = 'NEON_WHEEL') =>
    world.post('/v1/games/play', key, { userId, gameType })
  return {
    play,
    playId: async (userId: string, gameType?: string): Promise<string> => {
      const { status, body, text } = await play(userId, gameType)
      if (status !== 200) throw new Error(text)
      return body.data.playId
    },
    seeds: async (userId: string) => (await world.get(path(userId), key)).body.data,
    rotate: (userId: string, clientSeed?: unknown) =>
      world.post(`${path(userId)}/rotate`, key, { clientSeed }),
    proof: (playId: string) => world.get(`/v1/plays/${playId}/proof`, key),
  }
}

const isGood = (proof: Proof) => verifyPlay(proof).every(({ ok }) => ok)

let world: World
let call: ReturnType<typeof callsTo>
beforeAll(async () => {
  world = await createWorld()
  call = callsTo(world)
  for (const userId of ['ann', 'ben', 'carl', 'dora']) await world.givePoints(userId, 100)
})
afterAll(() => world.end())

describe('before a play', () => {
  it('the user knows a commitment, and afterwards that it was kept', async () => {
    const before = await call.seeds('ann')
    expect(before).toEqual({
      commitment: expect.stringMatching(/^[\da-f]{64}$/),
      nextCommitment: expect.stringMatching(/^[\da-f]{64}$/),
      clientSeed: expect.stringMatching(/^[\da-f-]{36}$/),
      nextNonce: 1,
    })
    const ids: string[] = []
    for (const game of games) ids.push(await call.playId('ann', game))
    const hidden = await Promise.all(ids.map(call.proof))
    for (const [i, { body }] of hidden.entries()) {
      expect(body.data).toMatchObject({ serverSeed: null, nonce: i + 1, playId: ids[i] })
      expect(body.data.commitment).toBe(before.commitment)
    }
    const { data } = (await call.rotate('ann')).body
    expect(data.revealed).toMatchObject({
      commitment: before.commitment,
      clientSeed: before.clientSeed,
    })
    expect(hash('sha256', Buffer.from(data.revealed.serverSeed, 'hex'))).toBe(before.commitment)
    // The next seed is the one that was promised before the user could choose a client seed for it.
    expect(data.commitment).toBe(before.nextCommitment)
    expect(data.nextNonce).toBe(4)
    for (const [i, { body }] of (await Promise.all(ids.map(call.proof))).entries()) {
      expect(body.data.serverSeed).toBe(data.revealed.serverSeed)
      expect(body.data.digest).toBe(hidden[i]?.body.data.digest)
      expect(isGood(body.data)).toBe(true)
    }
  })

  it('nothing that is shown holds the seed, and no two users or seeds are the same', async () => {
    const shown = [await call.seeds('ben'), await call.seeds('carl')]
    const id = await call.playId('ben')
    shown.push((await call.proof(id)).body.data)
    const revealed: string[] = []
    for (const user of ['ben', 'ben', 'carl'])
      revealed.push((await call.rotate(user)).body.data.revealed.serverSeed)
    expect(new Set(revealed).size).toBe(3)
    for (const seed of revealed) expect(JSON.stringify(shown)).not.toContain(seed)
    const { rows } = await world.server.database.pool.query({
      text: `SELECT (SELECT string_agg(u::text, '') FROM end_user u) ||
        (SELECT string_agg(s::text, '') FROM play_seed s) AS stored`,
    })
    const { commitment } = await call.seeds('ben')
    const next = (await call.rotate('ben')).body.data.revealed
    expect(next.commitment).toBe(commitment)
    expect(rows[0].stored).not.toContain(next.serverSeed)
  })
})

describe('a client seed', () => {
  it('is used for the plays from then on, until another one is set', async () => {
    const own = async (clientSeed?: string) => {
      expect((await call.rotate('dora', clientSeed)).status).toBe(200)
      return call.playId('dora', 'ENIGMA_BOXES')
    }
    const ids = [await own('my 🍀 seed'), await own(), await own('another'), await own()]
    await call.rotate('dora', 'the last')
    const proofs: Proof[] = []
    for (const id of ids) proofs.push((await call.proof(id)).body.data)
    expect(proofs.map(({ clientSeed }) => clientSeed)).toEqual([
      'my 🍀 seed',
      'my 🍀 seed',
      'another',
      'another',
    ])
    expect(new Set(proofs.map(({ commitment }) => commitment)).size).toBe(4)
    expect(proofs.every(isGood)).toBe(true)
  })

  it.each(['', 'x'.repeat(65), 'a\nb', 'a\u0000b', 'a\u007fb', '\ud800', 5, ['x']])(
    'that is %j is refused, and the seeds stay',
    async (clientSeed) => {
      const before = await call.seeds('carl')
      const answer = await call.rotate('carl', clientSeed)
      expect(answer.status).toBe(400)
      expect(await call.seeds('carl')).toEqual(before)
    },
  )

  it('of an unknown user is 404, and so is the proof of a play that there is not', async () => {
    expect((await call.rotate('nobody', 'x')).status).toBe(404)
    expect((await call.proof('01975b3c-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await call.proof('nonsense')).status).toBe(404)
  })

  it('is not kept where nobody has played with it', async () => {
    const rows = () => world.runtime.db.playSeed.count({ where: { user: { externalId: 'carl' } } })
    const before = await rows()
    for (let i = 0; i < 5; i++) await call.rotate('carl', `seed ${i}`)
    expect(await rows()).toBe(before)
  })
})

it('another partner and the other environment do not find a play', async () => {
  const id = await call.playId('ann')
  const other = await world.createPartner()
  for (const key of [other.test.public, world.partner.live.public])
    expect((await world.get(`/v1/plays/${id}/proof`, key)).body.errorCode).toBe('PLAY_NOT_FOUND')
})

it('with an erased user their client seeds go, and the proofs that need them', async () => {
  await world.givePoints('erika', 10)
  const first = await call.playId('erika')
  await call.rotate('erika', 'Erika Muster')
  const second = await call.playId('erika')
  await call.rotate('erika', 'Erika again')
  const third = await call.playId('erika')
  const { body } = await world.graphql(
    `mutation { eraseUser(input: { user: { externalId: "erika" } }) {
      ... on EraseUserPayload { user { externalId } } } }`,
  )
  const { rows } = await world.server.database.pool.query({
    text: `SELECT count(*)::int AS named FROM (SELECT u::text AS t FROM end_user u UNION ALL
      SELECT s::text FROM play_seed s) x WHERE t ILIKE '%erika%'`,
  })
  expect(rows[0].named).toBe(0)
  expect(isGood((await call.proof(first)).body.data)).toBe(true)
  for (const id of [second, third])
    expect((await call.proof(id)).body.errorCode).toBe('PLAY_NOT_VERIFIABLE')
  // The pseudonym can continue to play, with a seed that nobody has seen.
  const pseudonym = body.data.eraseUser.user.externalId
  const later = await call.playId(pseudonym)
  await call.rotate(pseudonym)
  expect(isGood((await call.proof(later)).body.data)).toBe(true)
  expect(await audit(world.server.database.pool)).toBe(0)
})

it('while seeds are replaced all the time, each play has the seed that was promised for it', async () => {
  await world.givePoints('racer', 100)
  const answers: Promise<{ status: number; body: { data: { playId: string } } }>[] = []
  for (let round = 0; round < 20; round++) {
    answers.push(...times(10, (i) => call.play('racer', games[i % 3])))
    await call.rotate('racer', `round ${round}`)
  }
  const plays = await Promise.all(answers)
  expect(plays.filter(({ status }) => status !== 200)).toEqual([])
  await call.rotate('racer')
  const proofs: Proof[] = []
  for (const { body } of plays) proofs.push((await call.proof(body.data.playId)).body.data)
  expect(proofs.filter((proof) => !isGood(proof))).toEqual([])
  expect(proofs.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual(times(200, (i) => i + 1))
  expect(await audit(world.server.database.pool)).toBe(0)
}, 60_000)

it.runIf(onPostgres)(
  'two servers give each nonce once, without gaps',
  async () => {
    const database = await createDatabase()
    const worlds = await Promise.all([createWorld({ database }), createWorld({ database })])
    const [left, right] = worlds as [World, World]
    try {
      const calls = worlds.map((world) =>
        callsTo({ ...world, keys: left.keys } as World),
      ) as ReturnType<typeof callsTo>[]
      for (const userId of ['u', 'v']) await left.givePoints(userId, 100)
      const rotating = (async () => {
        for (let i = 0; i < 15; i++) await calls[i % 2]?.rotate('u', `seed ${i}`)
      })()
      const answers = await Promise.all(
        times(200, (i) => calls[i % 2]?.play(i % 4 < 2 ? 'u' : 'v', games[i % 3])),
      )
      await rotating
      expect(answers.filter((answer) => answer?.status !== 200)).toEqual([])
      for (const userId of ['u', 'v']) await calls[0]?.rotate(userId)
      const proofs: Proof[] = []
      for (const [i, answer] of answers.entries())
        proofs.push((await calls[(i + 1) % 2]?.proof(answer?.body.data.playId))?.body.data)
      expect(proofs.filter((proof) => !isGood(proof))).toEqual([])
      for (const rest of [0, 2]) {
        const own = proofs.filter((_, i) => i % 4 === rest || i % 4 === rest + 1)
        expect(own.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual(
          times(100, (i) => i + 1),
        )
      }
      expect(await audit(right.server.database.pool)).toBe(0)
    } finally {
      await Promise.all(worlds.map((world) => world.end()))
      await database.drop()
    }
  },
  60_000,
)

it('the audit finds a play with a seed that its user never had, and a seed that was lost', async () => {
  const { pool } = world.server.database
  const broken = async (sql: string) => {
    const names: string[] = []
    const client = await pool.connect()
    try {
      await client.query({ text: 'BEGIN' })
      await client.query({ text: sql })
      await audit(client as never, (name, count) => {
        if (count > 0) names.push(name)
      })
    } finally {
      await client.query({ text: 'ROLLBACK' })
      client.release()
    }
    return names
  }
  const order = 'the seeds of plays are those that their user has had, in their order'
  const kept = 'each seed that was played with and replaced is kept'
  const racer = `(SELECT id FROM end_user WHERE external_id = 'racer')`
  expect(
    await broken(`UPDATE play SET seed_no = 99 WHERE user_id = ${racer} AND play_no = 200`),
  ).toContain(order)
  expect(
    await broken(`UPDATE play SET seed_no = 0 WHERE user_id = ${racer} AND play_no = 200`),
  ).toContain(order)
  expect(
    await broken(
      `DELETE FROM play_seed WHERE user_id = ${racer} AND seed_no = (SELECT min(seed_no) FROM play WHERE user_id = ${racer})`,
    ),
  ).toContain(kept)
})
