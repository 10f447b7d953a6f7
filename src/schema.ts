/** The whole API: imports every `*.graphql.ts` and builds the schema. */
import './accounts/api-key.graphql.ts'
import './users/end-user.graphql.ts'
import './points/points.graphql.ts'
import './points/ledger.graphql.ts'
import './points/reward-rule.graphql.ts'
import './games/mechanic.graphql.ts'
import './games/play.graphql.ts'
import './leaderboard/leaderboard.graphql.ts'
import { builder } from './core/builder.ts'

export const schema = builder.toSchema()
