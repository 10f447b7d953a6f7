import { route } from '../route.ts'
import { draw } from '../v1/lotteries.ts'

export const adminLotteries = [
  route('POST /admin/lotteries/{slug}/draws/{drawId}/execute', {
    key: 'admin',
    summary: 'Run a draw now',
    operation: `mutation ($input: ExecuteDrawInput!) {
      result: executeDraw(input: $input) {
        ... on LotteryDraw { ${draw} }
        ...Problem
      }
    }`,
    message: 'Draw executed successfully',
  }),
]
