import { Table, Text } from '@mantine/core'
import { campaignCheck } from '../generated/campaign-check.ts'
import type {
  CampaignChangesInput,
  CampaignCheckQuery,
  CampaignCostsFragment,
  CampaignSetUpFragment,
} from '../generated/types.ts'
import {
  type Check,
  CheckDialog,
  type CheckFrame,
  type FormChange,
  scheduleOf,
} from '../parts/check-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import { checkTexts, campaignCheckTexts as texts } from '../texts/check-texts.ts'

type Found = NonNullable<CampaignCheckQuery['campaign']>
type Costs = CampaignCostsFragment
type Line = Costs['costs'][number]

const limitText = (points: number | null) =>
  points === null ? checkTexts.noLimit : numberText(points)

const pointsText = (points: number | null) =>
  points === null ? checkTexts.noLimit : checkTexts.points(numberText(points))

const rewardsText = ({ rewards }: Costs) =>
  texts.rewards(
    rewards
      .map(({ reward, maxCount }) => texts.reward(reward.name, numberText(maxCount)))
      .join(', '),
  )

/** The most that a campaign can give, by what for. */
const CostTable = ({ of }: { of: Costs }) => {
  const lines: readonly (readonly [string, string, string, string])[] = [
    ...of.costs.map(
      ({ source, pointsEach, pointsPerUser, pointsInAll }) =>
        [
          texts.costs[source],
          numberText(pointsEach),
          limitText(pointsPerUser),
          limitText(pointsInAll),
        ] as const,
    ),
    ...(of.costs.length > 1
      ? [[texts.together, '', limitText(of.pointsPerUser), limitText(of.pointsInAll)] as const]
      : []),
  ]
  return (
    <Table verticalSpacing={4} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{checkTexts.source}</Table.Th>
          {[texts.each, texts.perUser, texts.inAll].map((title) => (
            <Table.Th key={title} ta="right">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(([label, ...values]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={400}>
              {label}
            </Table.Th>
            {values.map((value, n) => (
              <Table.Td key={n} ta="right">
                {value}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Cost = ({ of }: { of: Costs }) => (
  <>
    {of.costs.length > 0 ? (
      <>
        <CostTable of={of} />
        <Text size="sm" c="dimmed" mt={4}>
          {texts.noDailyLimit}
        </Text>
      </>
    ) : (
      <Text size="sm">{texts.free}</Text>
    )}
    {of.rewards.length > 0 && <Text size="sm">{rewardsText(of)}</Text>}
  </>
)

const gives = ({ costs }: Costs, source: Line['source']) =>
  costs.some((cost) => cost.source === source)

const startOf = ({ participantCount, pageUrl, codeStats, launchCheck: of }: Found): Check => ({
  issues: of.issues,
  effects: [
    texts.everyone,
    texts.takesPart,
    gives(of, 'REFERRALS') && texts.referrals,
    codeStats.activeCount > 0 && texts.codes(numberText(codeStats.activeCount)),
    of.costs.length > 0 && (of.creditsWallet ? texts.wallet : texts.noWallet),
    participantCount > 0 && texts.resumed(numberText(participantCount)),
  ],
  cost: <Cost of={of} />,
  schedule: scheduleOf(of),
  pageUrl,
})

const pauseOf = ({ participantCount, pageUrl, codeStats, launchCheck: of }: Found): Check => ({
  effects: [
    texts.paused(numberText(participantCount)),
    codeStats.activeCount > 0 && texts.pausedCodes(numberText(codeStats.activeCount)),
    gives(of, 'PRIZES') && texts.pausedWins,
    texts.pausedPage,
  ],
  pageUrl,
})

/** The figures of both costs that differ, with 0 where a source gives nothing, and the sums. */
const figuresOf = (now: Costs, then: Costs) => {
  const line = (label: string, text: (of: Costs) => string) =>
    [label, text(now), text(then)] as const
  const of = ({ costs }: Costs, source: Line['source']) =>
    costs.find((cost) => cost.source === source) ?? {
      ...{ pointsEach: 0, pointsPerUser: 0, pointsInAll: 0 },
    }
  const sources = Object.entries(texts.costs) as [Line['source'], string][]
  return [
    ...[
      ...sources.flatMap(([source, name]) => [
        line(texts.eachOf(name), (item) => pointsText(of(item, source).pointsEach)),
        line(texts.perUserOf(name), (item) => pointsText(of(item, source).pointsPerUser)),
        line(texts.inAllOf(name), (item) => pointsText(of(item, source).pointsInAll)),
      ]),
      line(texts.prizePoints, (item) => checkTexts.points(item.prizePointsPerEvent.toFixed(1))),
    ].filter(([, before, after]) => before !== after),
    line(texts.perUserTogether, (item) => pointsText(item.pointsPerUser)),
    line(texts.inAllTogether, (item) => pointsText(item.pointsInAll)),
  ]
}

const saveOf =
  (changes: FormChange | undefined) =>
  ({ launchCheck: now, changed: then }: Found): Check => ({
    issues: then.issues,
    effects: [texts.fromNow, then.creditsWallet ? texts.wallet : texts.noWallet],
    changes,
    cost: (
      <>
        <NowAndThen of={figuresOf(now, then)} />
        {then.rewards.length > 0 && <Text size="sm">{rewardsText(then)}</Text>}
      </>
    ),
    schedule: scheduleOf(then),
  })

/** What starting, pausing or changing a campaign means. */
export const CampaignCheck = (props: {
  of: Pick<CampaignSetUpFragment, 'id'>
  frame: CheckFrame
  to: 'start' | 'pause' | 'save'
  changes?: CampaignChangesInput
  lines?: FormChange
}) => {
  const { of, frame, to, changes, lines } = props
  const checks = { start: startOf, pause: pauseOf, save: saveOf(lines) }
  return (
    <CheckDialog
      frame={frame}
      operation={campaignCheck}
      variables={{ id: of.id, ...(changes && { changes }) }}
      checkOf={({ campaign }) => campaign && checks[to](campaign)}
    />
  )
}
