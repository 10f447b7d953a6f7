import { Badge, Group, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { campaigns } from '../generated/campaigns.ts'
import type { CampaignsQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, numberColumn, sortable, statusColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { dateText } from '../parts/formats.ts'
import { IconConfetti } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { campaignResultsTexts, campaignsTexts as texts } from '../texts/campaigns-texts.ts'
import { NewCampaign } from './new-campaign.tsx'

type CampaignRow = CampaignsQuery['campaigns']['nodes'][number]

const phases = ['DRAFT', 'UPCOMING', 'ACTIVE', 'PAUSED', 'ENDED'] as const

export const campaignPeriod = (of: { startsAt: string | null; endsAt: string | null }) => {
  const [from, to] = [of.startsAt && dateText(of.startsAt), of.endsAt && dateText(of.endsAt)]
  if (from && to) return texts.fromTo(from, to)
  if (to) return texts.until(to)
  return from ? texts.since(from) : texts.noEnd
}

const orders = { CREATED_AT: 'DESC', NAME: 'ASC', STARTS_AT: 'DESC' } as const
const filterNames = ['search', 'phase']

const columns: Column<CampaignRow>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.campaign, ({ id, name, slug }) => (
      <>
        <PageLink page="campaigns" id={id} size="sm" fw={600}>
          {name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </>
    )),
  ),
  statusColumn(texts.status, ({ phase }) => phase),
  sortable(orders, 'STARTS_AT', column(texts.period, campaignPeriod)),
  column(texts.mechanics, ({ instantWinRules, referralRules }) => (
    <Group gap={4}>
      {!instantWinRules && !referralRules && '–'}
      {instantWinRules && (
        <Badge variant="default" tt="none" fw={500}>
          {campaignResultsTexts.instantWin}
        </Badge>
      )}
      {referralRules && (
        <Badge variant="default" tt="none" fw={500}>
          {campaignResultsTexts.referrals}
        </Badge>
      )}
    </Group>
  )),
  numberColumn(texts.participants, ({ participantCount }) => participantCount),
]

export const CampaignsPage = () => {
  const [{ search, ...address }] = usePageSearch()
  const phase = chosen(address['phase'], phases)
  const order = orderOf(address, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(address, 25),
    orderBy: order,
    filter: { ...(search && { search }), ...(phase && { phases: [phase] }) },
  }
  const query = usePage(campaigns, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<NewCampaign />}
      operation={campaigns}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <>
          <Group gap="xs" mb="sm">
            <SearchField label={texts.search} />
            <ChoiceField label={texts.status} name="phase" values={phases} />
            <ListTools name="campaigns" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="campaigns"
            order={order}
            of={data.campaigns}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Boolean(search ?? phase)}
            empty={<EmptyState icon={IconConfetti} text={texts.empty} action={<NewCampaign />} />}
          />
        </>
      )}
    </Page>
  )
}
