/** Every route, in the order of `docs/routes.txt`. */

import { adminArenaAgents, adminArenaGames } from './admin/arena.ts'
import { adminLotteries } from './admin/lotteries.ts'
import { adminPartners } from './admin/partners.ts'
import {
  arenaAcceptances,
  arenaEarnings,
  dashboardArenaAgents,
  dashboardArenaGames,
  dashboardArenaMatches,
} from './dashboard/arena.ts'
import { auth } from './dashboard/auth.ts'
import { members } from './dashboard/members.ts'
import { dashboardWebhooks } from './dashboard/webhooks.ts'
import type { Route } from './route.ts'
import { arenaAgents, arenaLeaderboard, arenaMatches } from './v1/arena.ts'
import { arenaGames } from './v1/arena-games.ts'
import { campaigns } from './v1/campaigns.ts'
import { events } from './v1/events.ts'
import { gameRoutes } from './v1/games.ts'
import { leaderboard } from './v1/leaderboard.ts'
import { lotteries } from './v1/lotteries.ts'
import { playRoutes } from './v1/plays.ts'
import { points } from './v1/points.ts'
import { userJourneys } from './v1/user-journeys.ts'
import { users } from './v1/users.ts'
import { webhooks } from './v1/webhooks.ts'

export const routes: Route[] = [
  ...gameRoutes,
  ...playRoutes,
  ...users,
  ...leaderboard,
  ...points,
  ...campaigns,
  ...auth,
  ...arenaGames,
  ...members,
  ...adminPartners,
  ...dashboardArenaGames,
  ...arenaEarnings,
  ...arenaAcceptances,
  ...adminArenaGames,
  ...webhooks,
  ...dashboardWebhooks,
  ...events,
  ...lotteries,
  ...adminLotteries,
  ...userJourneys,
  ...arenaLeaderboard,
  ...arenaAgents,
  ...arenaMatches,
  ...dashboardArenaAgents,
  ...adminArenaAgents,
  ...dashboardArenaMatches,
]
