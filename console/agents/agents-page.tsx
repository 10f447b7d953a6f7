import { Sparkline } from '@mantine/charts'
import { Group } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { agents } from '../generated/agents.ts'
import type { AgentsQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, sortable, statusColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized, wholePercentText } from '../parts/formats.ts'
import { IconRobot } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { agentStatuses } from './agent-statuses.ts'
import { CreateAgent } from './create-agent.tsx'

type Row = AgentsQuery['arenaAgents']['nodes'][number]

const orders = { NAME: 'ASC', CREATED_AT: 'DESC' } as const
const filterNames = ['status']

const columns: Column<Row>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.agent, ({ id, displayName }) => (
      <PageLink page="agents" id={id} size="sm" fw={600}>
        {displayName}
      </PageLink>
    )),
  ),
  column(texts.provider, ({ provider }) => humanized(provider)),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.tier, ({ tier }) => humanized(tier)),
  numberColumn(texts.rating, ({ eloRating }) => eloRating),
  column(texts.trend, ({ displayName, ratingTrend }) =>
    ratingTrend.length < 2 ? null : (
      <Sparkline
        role="img"
        aria-label={texts.trendOf(displayName)}
        w={90}
        h={24}
        // Relative to the lowest rating, because ratings are never near zero.
        data={ratingTrend.map((rating) => rating - Math.min(...ratingTrend))}
        color="ember.5"
      />
    ),
  ),
  numberColumn(texts.matches, ({ matchCount }) => matchCount),
  {
    ...column(texts.winRate, ({ winRate }: Row) =>
      winRate === null ? null : wholePercentText(winRate),
    ),
    textAlign: 'right',
  },
]

export const AgentsPage = () => {
  const [search] = usePageSearch()
  const status = chosen(search['status'], agentStatuses)
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(search, 25),
    filter: status ? { statuses: [status] } : {},
    orderBy: order,
  }
  const query = usePage(agents, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<CreateAgent />}
      operation={agents}
      variables={variables}
      asked={query}
    >
      {({ arenaAgents }) => (
        <>
          <Group mb="sm">
            <ChoiceField label={texts.status} name="status" values={agentStatuses} />
            <ListTools name="agents" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="agents"
            order={order}
            of={arenaAgents}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={status !== undefined}
            empty={<EmptyState icon={IconRobot} text={texts.empty} action={<CreateAgent />} />}
          />
        </>
      )}
    </Page>
  )
}
