/** The documents of campaigns and lotteries, as anyone sees them. */
import { brandFields } from './documents.ts'

export const campaignQuery = `query WidgetCampaign($partnerSlug: String!, $slug: String!, $environment: Environment) {
  publicCampaign(partnerSlug: $partnerSlug, slug: $slug, environment: $environment) {
    name description phase startsAt endsAt participantCount takesCodes pageUrl
    eventRules { eventType points }
    prizes { name points remainingCount maxWins }
    referrerPoints
    leaders { rank name campaignPoints }
    brand { ${brandFields} }
  }
}`

export const redeemMutation = `mutation WidgetRedeem($input: RedeemPublicCodeInput!) {
  result: redeemPublicCode(input: $input) {
    ... on RedeemPublicCodePayload { points prize { name } }
    ... on Error { code message }
  }
}`

const rangeFields = 'count min max'
const ruleFields = `jackpot { amountCents currency } mainRange { ${rangeFields} } bonusRange { ${rangeFields} }
  tiers { name mainMatches bonusMatches potShareBasisPoints amount { amountCents currency } }`

const drawFields = `uuid lotteryName number status closesAt drawsAt drawnAt mainNumbers bonusNumbers pageUrl ticketCount
    pot { amountCents currency }
    brand { ${brandFields} }
    rules { ${ruleFields} }`

export const lotteryQuery = `query WidgetLottery($by: LotteryBy!) {
  publicLottery(by: $by) {
    openDraw { ${drawFields} }
    lastDraw { ${drawFields} }
  }
}`
