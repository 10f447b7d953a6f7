import { Badge, Group, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { closePartner, partners, reopenPartner } from '../generated/partners.ts'
import type { PartnersQuery } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconBuildingStore } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { partnersTexts as texts } from '../texts/partners-texts.ts'
import { CreatePartnerButton } from './create-partner.tsx'
import { InviteOwner } from './invite-owner.tsx'
import { RenamePartner } from './rename-partner.tsx'

type Row = PartnersQuery['platform']['partners']['nodes'][number]

const OpenOrClose = ({ of }: { of: Row }) => {
  const close = useChange(closePartner)
  const reopen = useChange(reopenPartner)
  const input = { input: { partner: { id: of.id } } }
  if (of.closedAt)
    return (
      <ActionButton
        right={undefined}
        size="xs"
        label={texts.reopen}
        act={() => reopen.mutateAsync(input)}
        done={texts.reopened}
      />
    )
  return (
    <DangerButton
      size="xs"
      label={texts.close}
      explanation={texts.closeExplanation}
      name={of.name}
      act={() => close.mutateAsync(input)}
      done={texts.closedDone}
    />
  )
}

const orders = { NAME: 'ASC', CREATED_AT: 'ASC' } as const
const filterNames = ['search', 'state']

const columns: Column<Row>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.partner, ({ name, slug }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </>
    )),
  ),
  column(texts.status, ({ closedAt }) => (
    <Badge color={closedAt ? 'red' : 'green'}>{closedAt ? texts.closed : texts.open}</Badge>
  )),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.since, ({ createdAt }) => createdAt),
  ),
  menuColumn(
    ({ name }) => name,
    (row) => (
      <>
        <RenamePartner partnerId={row.id} name={row.name} />
        {!row.closedAt && <InviteOwner partnerId={row.id} name={row.name} />}
        <OpenOrClose of={row} />
      </>
    ),
  ),
]

const states = ['OPEN', 'CLOSED'] as const

/** The partners of the service, for its operators. */
export const PartnersPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const state = chosen(address['state'], states)
  const order = orderOf(address, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(address, 25),
    orderBy: order,
    filter: { ...(search && { search }), ...(state && { isClosed: state === 'CLOSED' }) },
  }
  const query = usePage(partners, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<CreatePartnerButton />}
      operation={partners}
      variables={variables}
      asked={query}
    >
      {({ platform }) => (
        <>
          <Group gap="xs" mb="sm">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.status} name="state" values={states} />
            <ListTools name="partners" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="partners"
            order={order}
            of={platform.partners}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? state)}
            empty={
              <EmptyState
                icon={IconBuildingStore}
                text={texts.empty}
                action={<CreatePartnerButton />}
              />
            }
          />
        </>
      )}
    </Page>
  )
}
