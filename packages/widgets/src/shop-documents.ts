/** The documents of the shop, and of the rewards of a user. */
import { rewardFields, walletFields } from './documents.ts'

const page = 'pageInfo { hasNextPage endCursor }'

const soldFields = `slug ${rewardFields} price endsAt freePlays { gameType count } limit { max window }`

export const shopQuery = `query WidgetShop($externalId: String!, $isBuyer: Boolean!, $first: Int!, $after: String) {
  list: rewards(
    filter: { isForSale: true, isArchived: false }, orderBy: { field: POSITION, direction: ASC }, first: $first, after: $after
  ) {
    nodes { ${soldFields}
      availability(user: { externalId: $externalId }) @include(if: $isBuyer) { canBuy reason missingPoints nextAt } }
    ${page}
  }
}`

export const buyMutation = `mutation WidgetBuy($externalId: String!, $rewardId: ID!, $reference: String!) {
  result: buyReward(input: { user: { externalId: $externalId }, reward: { id: $rewardId }, reference: $reference }) {
    ... on BuyRewardPayload { grant { uuid } user { ${walletFields} } }
    ... on Error { code message }
  }
}`

const grantFields = `uuid points price status needsClaim heldUntil claimExpiresAt issuedAt createdAt fulfilledAt failure message
  code gameType freePlaysLeft playableUntil reward { ${rewardFields} } goalCompletion { goal { slug } }`

export const openRewardsQuery = `query WidgetOpenRewards($externalId: String!) {
  user(by: { externalId: $externalId }) {
    list: grants(filter: { statuses: [READY, HELD] }, first: 50) { nodes { ${grantFields} } ${page} }
  }
}`

export const rewardsQuery = `query WidgetRewards($externalId: String!, $first: Int!, $after: String) {
  user(by: { externalId: $externalId }) {
    list: grants(
      filter: { statuses: [ISSUED, FULFILLED, FAILED, CANCELLED], rewardKinds: [ITEM, CODE, FREE_PLAYS] },
      first: $first, after: $after
    ) { nodes { ${grantFields} } ${page} }
  }
}`

export const revealCodeMutation = `mutation WidgetRevealCode($externalId: String!, $grantId: ID!) {
  result: revealCode(input: { user: { externalId: $externalId }, grantId: $grantId }) {
    ... on RevealCodePayload { grant { code } }
    ... on Error { code message }
  }
}`
