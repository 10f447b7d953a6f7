import { ScrollArea, Table, Text } from '@mantine/core'
import { PageButton, PageLink, type PageName } from '../client/link.tsx'
import type { HomeQuery } from '../generated/types.ts'
import { countText, dateText, numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'

type Running = {
  page: PageName & keyof typeof texts.kinds
  id?: string
  name: string
  result: string
  endsAt?: string | null
  startsAt?: string | null
}

const maxShown = 12

const endOf = ({ startsAt, endsAt }: Running) =>
  startsAt || !endsAt ? Number.POSITIVE_INFINITY : Date.parse(endsAt)

/** What runs, and what ends first is first; then what begins soon. */
const runningOf = (of: HomeQuery): Running[] => {
  const totalOf = (metric: string) => of.offers.find((offer) => offer.metric === metric)?.total ?? 0
  const made = totalOf('OFFERS_MADE')
  const all: Running[] = [
    ...of.campaigns.nodes.map(({ id, name, endsAt, participantCount }) => ({
      page: 'campaigns' as const,
      id,
      name,
      endsAt,
      result: texts.participants(numberText(participantCount)),
    })),
    ...of.lotteries.nodes.flatMap(({ id, name, openDraw }) =>
      openDraw
        ? [
            {
              page: 'lotteries' as const,
              id,
              name,
              endsAt: openDraw.closesAt,
              result: texts.tickets(numberText(openDraw.ticketCount)),
            },
          ]
        : [],
    ),
    ...of.goals.nodes.map(({ id, name, endsAt, statistics }) => ({
      page: 'goals' as const,
      id,
      name,
      endsAt,
      result: texts.completions(numberText(statistics[0]?.total ?? 0)),
    })),
    ...of.games.map(({ gameType, name, statistics }) => ({
      page: 'games' as const,
      id: gameType,
      name,
      result: texts.playCount(numberText(statistics[0]?.total ?? 0)),
    })),
    ...(made > 0
      ? [
          {
            page: 'offers' as const,
            name: texts.allOffers,
            result: texts.claims(numberText(totalOf('OFFERS_CLAIMED')), numberText(made)),
          },
        ]
      : []),
    ...of.upcoming.nodes.map(({ id, name, startsAt }) => ({
      page: 'campaigns' as const,
      id,
      name,
      startsAt,
      result: texts.notStarted,
    })),
  ]
  return all.toSorted((a, b) => endOf(a) - endOf(b)).slice(0, maxShown)
}

const End = ({ of: { startsAt, endsAt } }: { of: Running }) => {
  if (startsAt)
    return (
      <Text size="sm" c="dimmed">
        {texts.starts} {dateText(startsAt)}
      </Text>
    )
  return endsAt ? (
    <RelativeTime at={endsAt} />
  ) : (
    <Text size="sm" c="dimmed">
      {texts.noEnd}
    </Text>
  )
}

/** Campaigns, draws, goals, games and offers with what they have brought. */
export const RunningNow = ({ of }: { of: HomeQuery }) => {
  const shown = runningOf(of)
  const count = of.campaigns.totalCount
  return (
    <Panel
      title={texts.running}
      hint={texts.runningHint}
      actions={
        count.value > of.campaigns.nodes.length && (
          <PageLink page="campaigns" search={{ phase: 'ACTIVE' }} size="sm">
            {texts.allCampaigns(countText(count))}
          </PageLink>
        )
      }
    >
      {shown.length === 0 ? (
        <>
          <Text c="dimmed" mb="sm">
            {texts.nothingRuns}
          </Text>
          <PageButton page="campaigns">{texts.createCampaign}</PageButton>
        </>
      ) : (
        <ScrollArea>
          <Table aria-label={texts.running}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.name}</Table.Th>
                <Table.Th visibleFrom="sm">{texts.kind}</Table.Th>
                <Table.Th>{texts.result}</Table.Th>
                <Table.Th>{texts.ends}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((item) => (
                <Table.Tr key={`${item.page}${item.id}`}>
                  <Table.Td>
                    <PageLink page={item.page} {...(item.id && { id: item.id })} size="sm" fw={600}>
                      {item.name}
                    </PageLink>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{texts.kinds[item.page]}</Table.Td>
                  <Table.Td>{item.result}</Table.Td>
                  <Table.Td>
                    <End of={item} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea>
      )}
    </Panel>
  )
}
