/** Games, sessions and players for the tests of the arena. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestPartner, World } from '../world.ts'

export const gameInput = {
  name: 'Space Race',
  category: 'ARCADE',
  buildUrl: 'https://games.example/space-race/1/',
  engine: 'HTML5',
  playerMode: 'PVP',
  minPlayers: 2,
  maxPlayers: 2,
}

const live = { 'x-environment': 'LIVE' }

/** Common steps of arena tests, as developer, administrator and partner. */
export const createArena = async (world: World) => {
  const developer = await world.signInAs('OWNER')
  const admin = await world.signInAs('OPERATOR')
  const send = (method: string, path: string, token: string, body?: unknown) =>
    world.call(method, path, { key: token, headers: live, ...(body !== undefined && { body }) })

  const submit = async (input: object = {}, token = developer) => {
    const answer = await send('POST', '/dashboard/arena-games', token, { ...gameInput, ...input })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.data
  }

  const review = (gameId: string, body: object, token = admin) =>
    send('POST', `/admin/arena-games/${gameId}/review`, token, body)

  /** A public game. */
  const publish = async (input: object = {}, token = developer) => {
    const game = await submit(input, token)
    const answer = await review(game.id, { status: 'APPROVED' })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.data
  }

  /** A user of a partner in LIVE with 100 points for each of `times`. */
  const createUser = async (times = 1, partner: TestPartner = world.partner) => {
    const userId = randomUUID()
    await world.givePoints(userId, times, 'signup', partner.live.secret)
    return userId
  }

  const openSession = async (gameId: string, body: object = {}, partner = world.partner) => {
    const path = `/v1/arena/games/${gameId}/sessions`
    const answer = await world.post(path, partner.live.secret, body)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.data
  }

  const join = (sessionId: string, userId: string, partner = world.partner) =>
    world.post(`/v1/arena/games/sessions/${sessionId}/join`, partner.live.secret, { userId })

  const leave = (sessionId: string, userId: string, partner = world.partner) =>
    world.post(`/v1/arena/games/sessions/${sessionId}/leave`, partner.live.secret, { userId })

  const start = (sessionId: string, partner = world.partner) =>
    world.post(`/v1/arena/games/sessions/${sessionId}/start`, partner.live.secret)

  const read = async (sessionId: string) =>
    (await world.get(`/v1/arena/games/sessions/${sessionId}`)).body.data

  const report = (sessionId: string, body: unknown, token?: string) =>
    world.post(
      `/v1/arena/games/sessions/${sessionId}/result`,
      undefined,
      body,
      token ? { 'x-session-token': token } : undefined,
    )

  const balance = async (userId: string, partner = world.partner) =>
    (await world.get(`/v1/users/${userId}/balance`, partner.live.secret)).body.data.totalPoints

  const members = new Map<string, string>([[world.partner.partnerId, developer]])

  /** A call of a member of a partner. */
  const sendAs = async (partner: TestPartner, method: string, path: string, body?: unknown) => {
    const { partnerId } = partner
    const token = members.get(partnerId) ?? (await world.signInAs('OWNER', partnerId))
    members.set(partnerId, token)
    return send(method, path, token, body)
  }

  /** Partners accept a game, with one cap for points in and points out. */
  const accept = async (gameId: string, partners: TestPartner[], cap = 1_000_000) => {
    for (const partner of partners) {
      const body = { gameId, maxPointsInPerDay: cap, maxPointsOutPerDay: cap }
      const answer = await sendAs(partner, 'POST', '/dashboard/arena-acceptances', body)
      if (answer.status !== 200) throw new Error(answer.text)
    }
  }

  /** A session in progress that the first partner made; its users, players and tokens by slot. */
  const play = async (gameId: string, players = 2, partners = [world.partner]) => {
    const session = await openSession(gameId, {}, partners[0])
    const seats = []
    for (let i = 0; i < players; i++) {
      const partner = partners[i % partners.length] as TestPartner
      const userId = await createUser(10, partner)
      const { status, body } = await join(session.id, userId, partner)
      expect(status).toBe(200)
      seats.push({ userId, partner, ...body.data })
    }
    return { sessionId: session.id as string, seats }
  }

  return {
    developer,
    admin,
    send,
    submit,
    review,
    publish,
    createUser,
    openSession,
    join,
    leave,
    start,
    read,
    report,
    balance,
    sendAs,
    accept,
    play,
  }
}

export type Arena = Awaited<ReturnType<typeof createArena>>
