import { fragment, route } from '../route.ts'

const shownReward = fragment(
  'ShopReward on Reward',
  `rewardId: uuid slug name description imageUrl kind points freePlays { gameType count validDays } price
  limit { max window } startsAt endsAt position`,
)

export const rewardRoutes = [
  route('GET /v1/rewards', {
    key: 'public',
    takesSecret: true,
    summary: 'List the rewards that are for sale, in the order of the shop',
    operation: `query ($page: String, $limit: Int) {
      result: rewards(filter: { isForSale: true, isArchived: false }, orderBy: { field: POSITION, direction: ASC },
          first: $limit, after: $page) {
        data: nodes { ${shownReward} }
        totalCount { value }
      }
    }`,
    message: 'Rewards retrieved successfully',
    list: true,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
  }),
  route('GET /v1/rewards/{slug}', {
    key: 'public',
    takesSecret: true,
    summary: 'Show a reward',
    operation: `query ($slug: String!) { result: reward(by: { slug: $slug }) { ${shownReward} } }`,
    message: 'Reward retrieved successfully',
    notFound: 'REWARD_NOT_FOUND',
    errors: ['REWARD_NOT_FOUND'],
  }),
]
