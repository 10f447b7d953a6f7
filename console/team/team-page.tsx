import { Badge, Group, Stack, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useViewer } from '../client/viewer.tsx'
import { team } from '../generated/team.ts'
import type { MemberRowFragment } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { teamTexts as texts } from '../texts/team-texts.ts'
import { InviteMemberButton } from './invite-member.tsx'
import { MemberActions } from './member-actions.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { memberRoles } from './role-field.tsx'

const MemberName = ({ of }: { of: MemberRowFragment }) => {
  const { member } = useViewer()
  return (
    <Group gap={6}>
      <Text size="sm" fw={600}>
        {of.email}
      </Text>
      {member?.id === of.id && <Badge>{texts.you}</Badge>}
      {of.isOperator && <Badge color="grape">{texts.operator}</Badge>}
    </Group>
  )
}

const orders = { EMAIL: 'ASC', CREATED_AT: 'ASC' } as const
const filterNames = ['search', 'role']

const columns: Column<MemberRowFragment>[] = [
  sortable(
    orders,
    'EMAIL',
    column(texts.member, (row) => <MemberName of={row} />),
  ),
  column(texts.role, ({ role }) => texts.roleNames[role]),
  column(texts.secondFactor, ({ hasSecondFactor }) => (
    <Badge color={hasSecondFactor ? 'green' : 'gray'}>
      {hasSecondFactor ? texts.hasSecondFactor : texts.noSecondFactor}
    </Badge>
  )),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.since, ({ createdAt }) => createdAt),
  ),
  menuColumn(
    ({ email }) => email,
    (row) => <MemberActions of={row} />,
  ),
]

export const TeamPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const role = chosen(address['role'], memberRoles)
  const order = orderOf(address, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(address, 25),
    orderBy: order,
    filter: { ...(search && { search }), ...(role && { roles: [role] }) },
  }
  const query = usePage(team, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<InviteMemberButton />}
      operation={team}
      variables={variables}
      asked={query}
    >
      {({ members, invitations }) => (
        <Stack>
          <Group gap="xs">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.role} name="role" values={memberRoles} />
            <ListTools name="team" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.members}
            name="team"
            order={order}
            of={members}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? role)}
            empty={texts.empty}
          />
          <Panel title={texts.invitations} isFramed={false}>
            <OpenInvitations of={invitations} />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}
