/** Every route, in the order of `routes.txt`. */
import type { Route } from './route.ts'
import { games } from './v1/games.ts'
import { leaderboard } from './v1/leaderboard.ts'
import { points } from './v1/points.ts'
import { users } from './v1/users.ts'

export const routes: Route[] = [...games, ...users, ...leaderboard, ...points]
