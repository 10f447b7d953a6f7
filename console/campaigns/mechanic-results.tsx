import { Button, Progress, Table, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { campaignResultsTexts as texts } from '../texts/campaigns-texts.ts'
import type { ShownCampaign } from './campaign-lists.tsx'

/** The empty state of a mechanic, with a link to the tab that sets it up unless the campaign has ended. */
const None = (props: { of: ShownCampaign; text: string; label: string; tab: string }) => {
  const { of, text, label, tab } = props
  const [, setSearch] = usePageSearch()
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {of.phase !== 'ENDED' && (
        <Button size="xs" variant="light" onClick={() => setSearch({ tab })}>
          {label}
        </Button>
      )}
    </>
  )
}

const share = (part: number, all: number) => (all === 0 ? 0 : part / all)

/** How many events won, and the remaining stock of each prize. */
export const InstantWinResults = ({ of }: { of: ShownCampaign }) => {
  const { instantWinRules, instantWinStats: stats } = of
  // Won prizes are kept when the instant win is switched off.
  if (!stats || (!instantWinRules && stats.winCount === 0))
    return (
      <Panel title={texts.instantWin}>
        <None of={of} text={texts.noInstantWin} label={texts.setUpInstantWin} tab="setup" />
      </Panel>
    )
  const { winCount, drawCount, winRate, prizeTiers } = stats
  return (
    <Panel
      title={texts.instantWin}
      hint={texts.instantWinHint(numberText(winCount), numberText(drawCount), percentText(winRate))}
    >
      <Table.ScrollContainer minWidth={380}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.prize}</Table.Th>
              <Table.Th ta="right">{texts.points}</Table.Th>
              <Table.Th ta="right">{texts.won}</Table.Th>
              <Table.Th ta="right">{texts.left}</Table.Th>
              <Table.Td w={110} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {prizeTiers.map(({ name, points, winCount, maxWins, remainingCount }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="right">{numberText(points)}</Table.Td>
                <Table.Td ta="right">{numberText(winCount)}</Table.Td>
                <Table.Td ta="right">{numberText(remainingCount)}</Table.Td>
                <Table.Td>
                  <Progress
                    value={100 * share(winCount, maxWins)}
                    aria-label={`${name}: ${percentText(share(winCount, maxWins))} ${texts.won}`}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}

/** The status of the codes. */
export const CodeResults = ({ of }: { of: ShownCampaign }) => {
  const { codeStats: stats } = of
  if (!stats || stats.codeCount === 0)
    return (
      <Panel title={texts.codes}>
        <None of={of} text={texts.noCodes} label={texts.makeCodes} tab="codes" />
      </Panel>
    )
  const { codeCount, redeemedCount } = stats
  const redeemed = share(redeemedCount, codeCount)
  return (
    <Panel
      title={texts.codes}
      hint={texts.codesHint(
        numberText(redeemedCount),
        numberText(codeCount),
        percentText(redeemed),
      )}
    >
      <Progress value={100 * redeemed} aria-label={texts.redeemed} mb="md" />
      <Facts
        of={[
          [texts.redeemable, numberText(stats.activeCount)],
          [texts.redeemed, numberText(redeemedCount)],
          [texts.expired, numberText(stats.expiredCount)],
          [texts.revoked, numberText(stats.revokedCount)],
        ]}
      />
    </Panel>
  )
}
