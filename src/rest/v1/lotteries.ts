import { route } from '../route.ts'

const range = 'count min max'
const tier = 'name main bonus amountCents potShareBasisPoints'
const rules = `main { ${range} } bonus { ${range} } maxTicketsPerUser potBaseCents potPerTicketCents tiers { ${tier} }`
const times = 'opensAt closesAt drawsAt completedAt'

/** A draw as REST shows it. */
export const draw = `id: drawId lotteryId lotterySlug drawNo status ${times} ticketCount progress
  commitment root seed main bonus potCents payoutCents tiers { name winners payoutCents } pageUrl`

const ticket = `id: ticketId ticketRef drawId lotteryId email externalUserId status entryMethod
  lines { main bonus }`

export const lotteries = [
  route('POST /v1/lotteries/entries', {
    key: 'secret',
    summary: 'Enter a user into the next draw of a lottery',
    operation: `mutation ($input: EnterLotteryInput!) {
      result: enterLottery(input: $input) {
        ... on LotteryTicket { ${ticket} createdAt }
        ...Problem
      }
    }`,
    status: 201,
    optional: ['externalUserId'],
  }),
  route('GET /v1/lotteries/available', {
    key: 'secret',
    summary: 'List the active lotteries',
    operation: `query ($page: String, $limit: Int) {
      result: lotteries(filter: { status: ACTIVE }, first: $limit, after: $page) {
        data: nodes {
          id: lotteryId slug name description status frequency isForEveryPartner
          rules { ${rules} }
          openDraw { id: drawId drawNo ${times} ticketCount commitment pageUrl }
          partnerId lotteryType: type primaryColor logoUrl drawFrequency: frequency
          requiresTicketPurchase ticketPriceUsdCents: ticketPriceCents currency
          limits: rules @flatten { maxTicketsPerUser } next: openDraw @flatten { nextDrawAt: drawsAt }
        }
        totalCount { value }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
  }),
  route('GET /v1/lotteries/{slug}/entries', {
    key: 'secret',
    summary: 'List the tickets you entered, newest first',
    operation: `query ($slug: String!, $page: String, $limit: Int) {
      lottery(slug: $slug) {
        result: tickets(first: $limit, after: $page) {
          data: nodes { ${ticket} winTier winAmountCents createdAt }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
    optional: ['externalUserId'],
    errors: ['LOTTERY_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws', {
    key: 'secret',
    summary: 'List the draws of a lottery, newest first',
    operation: `query ($slug: String!, $page: String, $limit: Int) {
      lottery(slug: $slug) {
        result: draws(first: $limit, after: $page) {
          data: nodes { ${draw} }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
    errors: ['LOTTERY_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws/{drawId}', {
    key: 'secret',
    summary: 'Show a draw',
    operation: `query ($slug: String!, $drawId: String!) {
      result: draw(slug: $slug, drawId: $drawId) { ${draw} rules { ${rules} } }
    }`,
    errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws/{drawId}/proof', {
    key: 'secret',
    summary: 'Get what is needed to verify a draw offline',
    operation: `query ($slug: String!, $drawId: String!, $ticketRef: String) {
      result: drawProof(slug: $slug, drawId: $drawId, ticketRef: $ticketRef) {
        version drawId lotterySlug drawNo status rules commitment ticketCount root seed main bonus
        potCents payoutCents tiers { name winners payoutCents } tickets ticketsUrl
        ticket { record position path holder salt }
      }
    }`,
    optional: ['ticket'],
    errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND', 'TICKET_NOT_FOUND'],
  }),
]
