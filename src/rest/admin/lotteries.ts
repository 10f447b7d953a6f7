import { route } from '../route.ts'
import { draw } from '../v1/lotteries.ts'

export const adminLotteries = [
  route('POST /admin/lotteries/{slug}/draws/{drawId}/execute', {
    key: 'operator',
    summary: 'Execute a draw now',
    operation: `mutation ($slug: String!, $drawId: ID!) {
      result: executeLotteryDraw(input: { lotteryDrawId: $drawId, lottery: { slug: $slug } }) {
        ... on ExecuteLotteryDrawPayload { draw: lotteryDraw @flatten { ${draw} } }
        ...Problem
      }
    }`,
    message: 'Draw executed successfully',
    notFound: 'DRAW_NOT_FOUND',
  }),
]
