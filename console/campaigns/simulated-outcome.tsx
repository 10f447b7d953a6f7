import { Alert, Table, Title } from '@mantine/core'
import type { SimulateEventQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { humanized, numberText, percentText } from '../parts/formats.ts'
import { IconCircleCheck, IconCircleX } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { campaignSimulationTexts as texts } from '../texts/campaigns-texts.ts'

type Simulated = NonNullable<NonNullable<SimulateEventQuery['campaign']>['simulatedEvent']>

const Mechanics = ({ of }: { of: Simulated['mechanics'] }) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{texts.mechanic}</Table.Th>
        <Table.Th>{texts.outcome}</Table.Th>
        <Table.Th>{texts.reason}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {of.map(({ mechanic, firing, reason }) => (
        <Table.Tr key={mechanic}>
          <Table.Td>{humanized(mechanic)}</Table.Td>
          <Table.Td>
            <Status of={firing} />
          </Table.Td>
          <Table.Td>{reason}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

const Chances = ({ of }: { of: Simulated['prizes'] }) => (
  <Table>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{texts.prize}</Table.Th>
        <Table.Th ta="right">{texts.points}</Table.Th>
        <Table.Th ta="right">{texts.left}</Table.Th>
        <Table.Th ta="right">{texts.chance}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {of.map(({ prizeTier: { name, points, remainingCount }, winRate }) => (
        <Table.Tr key={name}>
          <Table.Td>{name}</Table.Td>
          <Table.Td ta="right">{numberText(points)}</Table.Td>
          <Table.Td ta="right">{numberText(remainingCount)}</Table.Td>
          <Table.Td ta="right">{percentText(winRate)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

/** The outcome of a simulated event, by mechanic. */
export const SimulatedOutcome = ({ of }: { of: Simulated }) => (
  <Panel title={texts.outcome} {...(of.asIfActive && { hint: texts.asIfActive })}>
    <Alert
      color={of.refusal ? 'red' : 'teal'}
      icon={of.refusal ? <IconCircleX /> : <IconCircleCheck />}
      mb="md"
      role="status"
    >
      {of.refusal ? (texts.refusals[of.refusal] ?? of.refusal) : texts.accepted}
    </Alert>
    <Facts
      of={[
        [texts.points, numberText(of.points)],
        [texts.pointsAfter, numberText(of.campaignPoints)],
        [texts.events, numberText(of.eventCount)],
        [texts.eventsLeft, of.eventsLeft === null ? texts.noLimit : numberText(of.eventsLeft)],
      ]}
    />
    <Title order={3} size="h6" mt="md" mb={4}>
      {texts.mechanics}
    </Title>
    <Mechanics of={of.mechanics} />
    {of.prizes.length > 0 && (
      <>
        <Title order={3} size="h6" mt="md" mb={4}>
          {texts.prizes}
        </Title>
        <Chances of={of.prizes} />
      </>
    )}
  </Panel>
)
