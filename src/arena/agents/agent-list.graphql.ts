/** Lists of agents and their filters. */
import { z } from 'zod'
import { ArenaAgentProvider, ArenaAgentStatus } from '../../generated/prisma/enums.ts'
import { AdminRef } from '../../kit/schema/admin.ts'
import { containing, equal } from '../../kit/schema/filters.ts'
import { list } from '../../kit/schema/list.ts'
import { rows } from '../../kit/schema/rows.ts'
import { tenantOf } from '../../kit/tenant.ts'
import { oneOf, title } from '../../kit/validation.ts'
import { ArenaRef } from '../arena.graphql.ts'
import { ArenaAgentRef } from './agent.graphql.ts'
import { listedAgents } from './agent-read.ts'

const ArenaAgentFilter = z
  .object({
    status: oneOf('ArenaAgentStatus', ArenaAgentStatus)
      .nullish()
      .describe('Only agents of this status.'),
    provider: oneOf('ArenaAgentProvider', ArenaAgentProvider)
      .nullish()
      .describe('Only agents of this provider.'),
    search: title(255)
      .nullish()
      .describe('Only agents whose name or display name contains this; case-insensitive.'),
  })
  .describe('Filters agents.')

const whereOf = ({ search, ...words }: z.output<typeof ArenaAgentFilter>) => ({
  ...equal(words),
  ...containing(search, ['name', 'displayName']),
})

list([ArenaRef, 'agents'], {
  description: 'The public agents, newest first.',
  of: ArenaAgentRef,
  name: 'PublicArenaAgent',
  filter: ArenaAgentFilter,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  onStandby: true,
  from: ({ filter, order, ctx }) =>
    rows(ctx.db.arenaAgent, { where: { AND: [listedAgents, whereOf(filter)] }, order }),
})

const parts = {
  of: ArenaAgentRef,
  filter: ArenaAgentFilter,
  orders: {
    CREATED_AT: { by: ['id'], description: 'By time of creation.' },
    NAME: { by: ['name'], description: 'By name.' },
  },
  order: ['CREATED_AT', 'DESC'],
} as const

list('arenaAgents', {
  ...parts,
  description: "The caller's own agents, including retired ones, newest first.",
  key: 'member',
  right: 'ARENA_READ',
  from: ({ caller, filter, order, ctx }) =>
    rows(ctx.db.arenaAgent, { where: { ...tenantOf(caller), ...whereOf(filter) }, order }),
})

list([AdminRef, 'arenaAgents'], {
  ...parts,
  description: 'The agents of all partners, including private and retired ones, newest first.',
  key: 'operator',
  from: ({ filter, order, ctx }) => rows(ctx.db.arenaAgent, { where: whereOf(filter), order }),
})
