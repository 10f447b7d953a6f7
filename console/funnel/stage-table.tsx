import { Group, Progress, Table, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { FunnelQuery } from '../generated/types.ts'
import { changeText, countText, humanized, numberText, wholePercentText } from '../parts/formats.ts'
import { funnelTexts as texts } from '../texts/funnel-texts.ts'
import { stageColors } from './stage-colors.ts'

type Stage = FunnelQuery['journeyFunnel']['stages'][number]

const StageRow = ({ of, share }: { of: Stage; share: number }) => {
  const { stage, userCount, enteredCount, leftCount } = of
  const change = enteredCount - leftCount
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink page="users" search={{ stage }} size="sm" fw={600}>
          {humanized(stage)}
        </PageLink>
      </Table.Td>
      <Table.Td ta="right">{countText(userCount)}</Table.Td>
      <Table.Td miw={{ sm: 140 }}>
        <Group gap="xs" wrap="nowrap">
          <Progress
            value={share * 100}
            color={stageColors[stage]}
            flex={1}
            visibleFrom="sm"
            aria-label={texts.share}
          />
          <Text size="xs" c="dimmed" w={52} ta="right">
            {wholePercentText(share)}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td ta="right">{numberText(enteredCount)}</Table.Td>
      <Table.Td ta="right">{numberText(leftCount)}</Table.Td>
      <Table.Td ta="right">{changeText(change)}</Table.Td>
    </Table.Tr>
  )
}

/** Users in each stage, from new to churned. */
export const StageTable = ({ of }: { of: readonly Stage[] }) => {
  const all = of.reduce((sum, { userCount }) => sum + userCount.value, 0)
  const titles = [
    [texts.stage, 'left'],
    [texts.users, 'right'],
    [texts.share, 'left'],
    [texts.entered, 'right'],
    [texts.left, 'right'],
    [texts.net, 'right'],
  ] as const
  return (
    <Table.ScrollContainer minWidth={440}>
      <Table aria-label={texts.stages}>
        <Table.Thead>
          <Table.Tr>
            {titles.map(([title, align]) => (
              <Table.Th key={title} ta={align}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map((stage) => (
            <StageRow
              key={stage.stage}
              of={stage}
              share={all === 0 ? 0 : stage.userCount.value / all}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
