/** The stages of the writers of the arena. */
import { supportAgents } from '../../src/arena/agents/support.ts'
import { sendArenaSessionMoves } from '../../src/arena/sessions/move.ts'
import { createArenaSessions } from '../../src/arena/sessions/opening.ts'
import { reportArenaResults } from '../../src/arena/sessions/result.ts'
import {
  joinArenaSessions,
  leaveArenaSessions,
  startArenaSessions,
} from '../../src/arena/sessions/seat.ts'
import { sessionTokenOf } from '../../src/arena/sessions/session.ts'
import { makeAgent } from '../arena/matches/arena.ts'
import { award, good, type Place, type Stage, type Writer } from './stage.ts'

const sessions = async ({ world, tenant, game }: Place, count: number) =>
  good(
    await createArenaSessions(
      world.runtime,
      Array.from({ length: count }, () => ({ ...tenant, gameId: game.id })),
    ),
  ).map(({ session }) => session.id)

const userOf = ({ world, tenant }: Place, name: string) => world.userKey(name, tenant)

const seated = async (place: Place) => {
  await award(place, ['ann', 'ben', 'cid'])
  const [first = '', second = ''] = await sessions(place, 2)
  const seats = [
    { sessionId: first, name: 'ann' },
    { sessionId: first, name: 'ben' },
    { sessionId: second, name: 'cid' },
  ]
  const joins = seats.map(({ sessionId, name }) => ({ ...userOf(place, name), sessionId }))
  return { first, second, players: good(await joinArenaSessions(place.world.runtime, joins)) }
}

const unknownId = '00000000-0000-7000-8000-000000000000'
const seatShown = ({ player }: { player: { slot: number; type: string } }) => [
  player.slot,
  player.type,
]

export const arenaStages: Record<string, Stage> = {
  supportAgents: {
    writer: supportAgents as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const { runtime } = place.world
      const [first, second] = [
        await makeAgent(runtime, place.partner.partnerId, 'random'),
        await makeAgent(runtime, place.partner.partnerId, 'random'),
      ]
      const give = (name: string, agentId: string, points: number) => ({
        ...userOf(place, name),
        agentId,
        points,
      })
      return [
        give('ann', first.id, 40),
        give('ben', second.id, 10),
        give('ann', first.id, 40),
        give('ann', first.id, 40),
        give('ben', first.id, 10),
        give('ben', unknownId, 10),
        give('nobody', first.id, 10),
      ]
    },
  },
  createArenaSessions: {
    writer: createArenaSessions as Writer,
    items: async (place) => {
      await award(place, ['ann'])
      const open = (name: string | null, gameId = place.game.id) => ({
        ...(name === null ? place.tenant : userOf(place, name)),
        gameId,
      })
      return [open('ann'), open(null), open('nobody'), open('ann'), open('ann', unknownId)]
    },
    shown: ({ player }: { player: { slot: number } | null }) => player?.slot ?? null,
  },
  joinArenaSessions: {
    writer: joinArenaSessions as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben', 'cid'])
      const [first = '', second = ''] = await sessions(place, 2)
      const join = (sessionId: string, name: string) => ({ ...userOf(place, name), sessionId })
      return [
        join(first, 'ann'),
        join(second, 'cid'),
        join(first, 'ann'),
        join(first, 'ben'),
        join(first, 'cid'),
        join(unknownId, 'ann'),
        join(second, 'nobody'),
      ]
    },
    shown: seatShown,
  },
  leaveArenaSessions: {
    writer: leaveArenaSessions as Writer,
    items: async (place) => {
      const { first, second } = await seated(place)
      const leave = (sessionId: string, name: string) => ({ ...userOf(place, name), sessionId })
      // The first is full, and has begun.
      return [leave(second, 'cid'), leave(first, 'ann'), leave(second, 'cid'), leave(first, 'dan')]
    },
    shown: seatShown,
  },
  startArenaSessions: {
    writer: startArenaSessions as Writer,
    items: async (place) => {
      const { first, second } = await seated(place)
      const { partnerId } = place.tenant
      return [second, first, second, unknownId].map((sessionId) => ({ sessionId, partnerId }))
    },
    shown: ({ status }: { status: string }) => status,
  },
  reportArenaResults: {
    writer: reportArenaResults as Writer,
    items: async (place) => {
      const { first, second, players } = await seated(place)
      const { config } = place.world.runtime
      const report = (sessionId: string, winner: number) => ({
        sessionId,
        winnerId: players[winner]?.player.id,
        config,
      })
      return [report(first, 0), report(second, 2), report(first, 0), report(first, 1)]
    },
    shown: ({ awaitingReports, winner }: { awaitingReports: number; winner: { id: string } }) => [
      awaitingReports,
      winner.id,
    ],
  },
  sendArenaSessionMoves: {
    writer: sendArenaSessionMoves as Writer,
    items: async (place) => {
      const { first, second, players } = await seated(place)
      const { keys } = place.world.runtime
      const send = (sessionId: string, n: number, ...references: (string | null)[]) => ({
        sessionId,
        token: sessionTokenOf(keys, sessionId, players[n]?.player.id ?? ''),
        moves: references.map((reference) => ({ data: { reference }, reference })),
      })
      return [
        send(first, 0, 'a', null),
        send(first, 1, 'a'),
        send(first, 0, 'a', 'b'),
        { ...send(first, 0, 'c'), token: 'x' },
        // The second has not begun, and its only player has no seat in the first.
        send(second, 2, 'a'),
        send(first, 2, 'a'),
        // Twenty moves a second are allowed; the player has made two or three.
        send(first, 0, ...Array(18).fill(null)),
        send(first, 1, ...Array(19).fill(null)),
        send(unknownId, 0, 'a'),
      ]
    },
    shown: ({ moves }: { moves: { seq: number; reference: string | null }[] }) =>
      moves.map(({ seq, reference }) => [seq, reference]),
  },
}
