/** The stages of writers that correct wallets by hand. */
import { v7 as uuid } from 'uuid'
import { adjustPoints, type Corrected, reverseEntries } from '../../src/points/correction.ts'
import { spendPoints } from '../../src/points/spending.ts'
import { award, good, type Place, type Stage, type Writer } from './stage.ts'

const shown = ({ ledgerEntry: { user, ...entry } }: Corrected) => [entry, user.externalId]

const reason = 'by hand'

/** Movements of ann and ben, some with a reference that was used before. */
const movements = async (place: Place, points: (n: number) => number) => {
  await award(place, ['ann', 'ben'])
  const move = (name: string, amount: number, reference?: string) => ({
    ...place.world.userKey(name, place.tenant),
    points: points(amount),
    reason,
    reference,
    memberId: uuid(),
    apiKeyId: null,
  })
  return [
    move('ann', -150, 'once'),
    move('ann', -30, 'once'),
    move('ann', -130),
    move('nobody', -10),
    move('ben', -100),
    move('ben', -7, 'once'),
    move('ann', -5, 'again'),
    move('ann', -5, 'again'),
  ]
}

export const correctionStages: Record<string, Stage> = {
  spendPoints: {
    writer: spendPoints as Writer,
    items: (place) => movements(place, (amount) => -amount),
    shown,
  },
  adjustPoints: {
    writer: adjustPoints as Writer,
    items: async (place) => {
      await award(place, ['ann', 'ben'])
      const adjust = (name: string, points: number, reference?: string) => ({
        ...place.world.userKey(name, place.tenant),
        points,
        reason,
        reference,
        memberId: uuid(),
        apiKeyId: null,
      })
      return [
        adjust('ann', -150, 'once'),
        adjust('ann', 30, 'once'),
        adjust('ann', -130),
        adjust('nobody', 10),
        adjust('ben', -100),
        adjust('ben', 7, 'once'),
        adjust('ben', 7),
        adjust('ann', 5, 'again'),
        adjust('ann', 5, 'again'),
      ]
    },
    shown,
  },
  reverseEntries: {
    writer: reverseEntries as Writer,
    items: async (place) => {
      const awards = await award(place, ['ann', 'ben', 'ann'])
      const [first, second, three] = awards.map(({ ledgerEntry }) => ledgerEntry.id) as [
        string,
        string,
        string,
      ]
      const by = { reason, memberId: null, apiKeyId: uuid() }
      const ben = { ...place.world.userKey('ben', place.tenant), ...by, points: -1 }
      const [taken] = good(await adjustPoints(place.world.runtime, [ben]))
      const reverse = (ledgerEntryId = '') => ({
        ...place.tenant,
        ...by,
        ledgerEntryId,
      })
      return [
        reverse(first),
        reverse(second),
        reverse(first),
        reverse(taken?.ledgerEntry.id),
        reverse(second),
        reverse(uuid()),
        reverse(three),
      ]
    },
    shown,
  },
}
