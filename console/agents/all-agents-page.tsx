import { Group } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { allAgents } from '../generated/all-agents.ts'
import type { AllAgentsQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import {
  column,
  menuColumn,
  numberColumn,
  sortable,
  statusColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized } from '../parts/formats.ts'
import { IconRobotFace } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { agentStatuses } from './agent-statuses.ts'
import { OperatorAgentActions } from './operator-agent-actions.tsx'

const orders = { NAME: 'ASC', CREATED_AT: 'DESC' } as const
const filterNames = ['search', 'status']

const columns: Column<AllAgentsQuery['platform']['arenaAgents']['nodes'][number]>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.agent, ({ id, displayName }) => (
      <PageLink page="agents" id={id} size="sm" fw={600}>
        {displayName}
      </PageLink>
    )),
  ),
  column(texts.partner, ({ partnerName }) => partnerName),
  column(texts.provider, ({ provider }) => humanized(provider)),
  statusColumn(texts.status, ({ status }) => status),
  numberColumn(texts.rating, ({ eloRating }) => eloRating),
  numberColumn(texts.matches, ({ matchCount }) => matchCount),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
  menuColumn(
    ({ displayName }) => displayName,
    (row) => <OperatorAgentActions size="xs" of={row} />,
  ),
]

/** The agents of all partners, for operators. */
export const AllAgentsPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const status = chosen(address['status'], agentStatuses)
  const order = orderOf(address, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(address, 25),
    orderBy: order,
    filter: { ...(search && { search }), ...(status && { statuses: [status] }) },
  }
  const query = usePage(allAgents, variables)
  return (
    <Page
      title={texts.all}
      description={texts.allDescription}
      operation={allAgents}
      variables={variables}
      asked={query}
    >
      {({ platform }) => (
        <>
          <Group mb="sm" gap="xs">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.status} name="status" values={agentStatuses} />
            <ListTools name="all-agents" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.all}
            name="all-agents"
            order={order}
            of={platform.arenaAgents}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? status)}
            empty={<EmptyState icon={IconRobotFace} text={texts.allEmpty} />}
          />
        </>
      )}
    </Page>
  )
}
