/** The lists of versions of settings. */
import type { World } from '../world.ts'
import type { LongList } from './long-lists.ts'
import { copy, id, type Rows, rowMaker } from './row-copies.ts'

type Places = {
  list(key: string, rows: Rows): LongList
  inCampaign: string
  inLottery: string
  lottery: { id: string }
  slug: string
}

export const versionLists = async (
  world: World,
  { list, inCampaign, inLottery, lottery, slug }: Places,
): Promise<Record<string, LongList>> => {
  const { partner, tenant } = world
  const mine = `partner_id = '${partner.partnerId}' AND environment = '${tenant.environment}'`
  const offerRule = '{ stage: NEW, offerType: VIP_PLAY, title: "x" }'
  await world.graphql(`mutation { setOfferRule(input: ${offerRule}) { __typename } }`)
  const of = (object: string, wrap: LongList['wrap']): LongList => {
    const where = `version = 1 AND object_id = (SELECT id FROM ${object})`
    const rows = rowMaker(world)(copy('settings_version', where, { ...id, version: 'n + 9' }))
    return { ...list('version', rows), wrap }
  }
  return {
    'Campaign.versions': of(
      `campaign WHERE slug = '${slug}' AND ${mine}`,
      (text) => `{ ${inCampaign} { ${text} } }`,
    ),
    'Lottery.versions': of(
      `lottery WHERE id = '${lottery.id}'`,
      (text) => `{ ${inLottery} { ${text} } }`,
    ),
    'RewardRule.versions': of(
      `reward_rule WHERE ${mine} ORDER BY event_type LIMIT 1`,
      (text) => `{ rewardRules(first: 1) { nodes { ${text} } } }`,
    ),
    'OfferRule.versions': of(
      `offer_rule WHERE ${mine} ORDER BY id LIMIT 1`,
      (text) => `{ offerRules { ${text} } }`,
    ),
  }
}
