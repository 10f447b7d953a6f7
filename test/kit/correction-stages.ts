/** The stages of writers that correct wallets by hand. */
import { v7 as uuid } from 'uuid'
import { adjustPoints, type Corrected, reverseEntries } from '../../src/points/correction.ts'
import { award, good, type Stage, type Writer } from './stage.ts'

const shown = ({ ledgerEntry: { user, ...entry } }: Corrected) => [entry, user.externalId]

const reason = 'by hand'

export const correctionStages: Record<string, Stage> = {
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
      const [one, two, three] = awards.map(({ ledgerEntry }) => ledgerEntry.id) as [
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
        reverse(one),
        reverse(two),
        reverse(one),
        reverse(taken?.ledgerEntry.id),
        reverse(two),
        reverse(uuid()),
        reverse(three),
      ]
    },
    shown,
  },
}
