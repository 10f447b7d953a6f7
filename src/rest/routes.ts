/** Every route. The files of `v1`, `dashboard` and `admin` are found by `npm run generate`. */
import { restFiles } from '../generated/rest-files.ts'
import type { Route } from './route.ts'

/** The order of parts in the documentation. Parts that are not named follow. */
const order = [
  '/v1/games',
  '/v1/plays',
  '/v1/users',
  '/v1/leaderboard',
  '/v1/points',
  '/v1/campaigns',
  '/dashboard/auth',
  '/v1/arena/games',
  '/dashboard/members',
  '/admin/partners',
  '/dashboard/arena-games',
  '/dashboard/arena-earnings',
  '/dashboard/arena-acceptances',
  '/admin/arena-games',
  '/v1/webhooks',
  '/dashboard/webhooks',
  '/v1/events',
  '/v1/lotteries',
  '/admin/lotteries',
  '/v1/user-journeys',
  '/v1/arena/leaderboard',
  '/v1/arena/agents',
  '/v1/arena/matches',
  '/dashboard/arena-agents',
  '/admin/arena-agents',
  '/dashboard/arena-matches',
]

const positionOf = ({ path }: Route) => {
  const position = order.findIndex((part) => path === part || path.startsWith(`${part}/`))
  return position < 0 ? order.length : position
}

export const routes: Route[] = restFiles
  .flatMap((file) => Object.values(file))
  .filter((exported): exported is Route[] => Array.isArray(exported))
  .flat()
  .sort((a, b) => positionOf(a) - positionOf(b))
