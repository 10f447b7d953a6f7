import { z } from 'zod'
import { always, fragment, route } from '../route.ts'

const range = 'count min max'
const tier =
  'name main: mainMatches bonus: bonusMatches amount @flatten { amountCents } potShareBasisPoints'
const rules = `main: mainRange { ${range} } bonus: bonusRange { ${range} } maxTicketsPerUser
  potBase @flatten { potBaseCents: amountCents } potPerTicket @flatten { potPerTicketCents: amountCents }
  tiers { ${tier} }`
const times = 'opensAt closesAt drawsAt completedAt'

const tiers = 'tiers { name winners: winnerCount payout @flatten { payoutCents: amountCents } }'
const money =
  'pot: finalPot @flatten { potCents: amountCents } payout @flatten { payoutCents: amountCents }'

/** A draw in REST. */
export const draw = fragment(
  'Draw on LotteryDraw',
  `id: uuid lottery @flatten { lotteryId: uuid lotterySlug: slug } drawNo: number status ${times}
  ticketCount progress: settledRate commitment root seed main: mainNumbers bonus: bonusNumbers ${money} ${tiers} pageUrl`,
)
const detailedDraw = fragment(
  'DrawDetails on LotteryDraw',
  `${draw} rules: finalRules { ${rules} }`,
)
const openDraw = fragment(
  'OpenDraw on LotteryDraw',
  `id: uuid drawNo: number ${times} ticketCount commitment pageUrl`,
)

const entered = `id: uuid ticketRef draw @flatten { drawId: uuid } lottery @flatten { lotteryId: uuid }
  email externalUserId: externalId status entryMethod: ticketRef lines { main bonus }`
const entry = {
  entryMethod: always('PARTNER_API', z.enum(['PARTNER_API']).describe('How it was entered.')),
}
const newTicket = fragment('NewTicket on LotteryTicket', `${entered} createdAt`, entry)
const ticket = fragment(
  'Ticket on LotteryTicket',
  `${entered} winTier winAmount @flatten { winAmountCents: amountCents @unset(as: 0) } createdAt`,
  entry,
)

const lottery = fragment(
  'Lottery on Lottery',
  `id: uuid slug name description status frequency isForEveryPartner
  rules { ${rules} }
  openDraw { ${openDraw} }
  partner @flatten { partnerId: uuid } lotteryType: currency primaryColor logoUrl drawFrequency: frequency
  requiresTicketPurchase: isForEveryPartner
  ticketPriceUsdCents: drawDelaySeconds currency
  limits: rules @flatten { maxTicketsPerUser } next: openDraw @flatten { nextDrawAt: drawsAt }`,
  {
    status: {
      schema: z
        .enum(['ACTIVE', 'COMPLETED', 'DRAFT', 'EXPIRED', 'PAUSED'])
        .describe('Whether it accepts entries.'),
      of: (status) => (status === 'ENDED' ? 'COMPLETED' : status),
    },
    lotteryType: always('NUMBERS', z.enum(['NUMBERS']).describe('What it draws.')),
    requiresTicketPurchase: always(
      false,
      z.boolean().describe('Always false. Partners enter their users.'),
    ),
    ticketPriceUsdCents: always(
      0,
      z.int().meta({ format: 'int64' }).describe('In hundredths of the currency unit.'),
    ),
  },
)

export const lotteries = [
  route('POST /v1/lotteries/entries', {
    key: 'secret',
    summary: 'Enter a user into the next draw of a lottery',
    operation: `mutation ($email: String!, $lotterySlug: String!, $userId: String,
        $lines: [LotteryLineInput!]) {
      result: enterLottery(input: { email: $email, lottery: { slug: $lotterySlug },
          user: { externalId: $userId }, lines: $lines }) {
        ... on EnterLotteryPayload { ticket: lotteryTicket @flatten { ${newTicket} } }
        ...Problem
      }
    }`,
    status: 201,
    judgedByMutation: true,
    never: ['USER_NOT_FOUND'],
    optional: ['externalUserId'],
  }),
  route('GET /v1/lotteries/available', {
    key: 'secret',
    summary: 'List the active lotteries',
    operation: `query ($page: String, $limit: Int) {
      result: lotteries(filter: { statuses: [ACTIVE] }, first: $limit, after: $page) {
        data: nodes {
          ${lottery}
        }
        totalCount { value }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
  }),
  route('GET /v1/lotteries/{slug}/entries', {
    key: 'secret',
    summary: 'List the tickets that the partner entered, newest first',
    operation: `query ($slug: String!, $page: String, $limit: Int) {
      lottery(by: { slug: $slug }) {
        result: tickets(first: $limit, after: $page) {
          data: nodes { ${ticket} }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
    optional: ['externalUserId'],
    notFound: 'LOTTERY_NOT_FOUND',
    errors: ['LOTTERY_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws', {
    key: 'secret',
    summary: 'List the draws of a lottery, newest first',
    operation: `query ($slug: String!, $page: String, $limit: Int) {
      lottery(by: { slug: $slug }) {
        result: draws(first: $limit, after: $page) {
          data: nodes { ${draw} }
          totalCount { value }
        }
      }
    }`,
    paging: { beside: ['total', 'page', 'limit'] },
    list: true,
    notFound: 'LOTTERY_NOT_FOUND',
    errors: ['LOTTERY_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws/{drawId}', {
    key: 'secret',
    summary: 'Show a draw',
    operation: `query ($slug: String!, $drawId: ID!) {
      lottery(by: { slug: $slug }) { result: draw(id: $drawId) { ${detailedDraw} } }
    }`,
    notFound: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND'],
    errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND'],
  }),
  route('GET /v1/lotteries/{slug}/draws/{drawId}/proof', {
    key: 'secret',
    summary: 'Show the proof of a draw, to verify it offline',
    operation: `query ($slug: String!, $drawId: ID!, $ticketRef: String) {
      lottery(by: { slug: $slug }) {
        draw(id: $drawId) {
          result: proof(ticketRef: $ticketRef) {
            version
            whose: draw @flatten {
              drawId: uuid lottery @flatten { lotterySlug: slug } drawNo: number status
            }
            rules
            promised: draw @flatten { commitment }
            ticketCount
            drawn: draw @flatten { root seed main: mainNumbers bonus: bonusNumbers ${money} ${tiers} }
            tickets ticketsUrl
            ticket { record position path holder salt }
          }
        }
      }
    }`,
    notFound: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND', 'TICKET_NOT_FOUND'],
    optional: ['ticket'],
    errors: ['LOTTERY_NOT_FOUND', 'DRAW_NOT_FOUND', 'TICKET_NOT_FOUND'],
  }),
]
