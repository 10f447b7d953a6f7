/** Every route, in the order of `routes.txt`. */
import { adminArenaGames } from './admin/arena-games.ts'
import { adminLotteries } from './admin/lotteries.ts'
import { adminPartners } from './admin/partners.ts'
import { arenaAcceptances } from './dashboard/arena-acceptances.ts'
import { arenaAgents } from './dashboard/arena-agents.ts'
import { dashboardArenaGames } from './dashboard/arena-games.ts'
import { auth } from './dashboard/auth.ts'
import { members } from './dashboard/members.ts'
import type { Route } from './route.ts'
import { arenaGames } from './v1/arena-games.ts'
import { arenaMatches } from './v1/arena-matches.ts'
import { campaigns } from './v1/campaigns.ts'
import { games } from './v1/games.ts'
import { leaderboard } from './v1/leaderboard.ts'
import { lotteries } from './v1/lotteries.ts'
import { points } from './v1/points.ts'
import { userJourneys } from './v1/user-journeys.ts'
import { users } from './v1/users.ts'
import { webhooks } from './webhooks.ts'

export const routes: Route[] = [
  ...games,
  ...users,
  ...leaderboard,
  ...points,
  ...campaigns,
  ...auth,
  ...arenaGames,
  ...members,
  ...adminPartners,
  ...dashboardArenaGames,
  ...arenaAcceptances,
  ...adminArenaGames,
  ...webhooks,
  ...lotteries,
  ...adminLotteries,
  ...userJourneys,
  ...arenaMatches,
  ...arenaAgents,
]
