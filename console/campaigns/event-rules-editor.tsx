import { Table, Text, TextInput } from '@mantine/core'
import { Panel } from '../parts/panel.tsx'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import { type CampaignForm, newRule } from './campaign-form.ts'

const RuleLine = ({ form, index }: { form: CampaignForm; index: number }) => {
  const field = (name: string) => form.getInputProps(`eventRules.${index}.${name}`)
  return (
    <Table.Tr>
      <Table.Td>
        <TextInput
          aria-label={texts.eventType}
          placeholder="purchase"
          required
          maxLength={255}
          {...field('eventType')}
        />
      </Table.Td>
      <Table.Td w={140}>
        <WholeNumberField aria-label={texts.points} min={1} {...field('points')} />
      </Table.Td>
      <Table.Td w={44}>
        <RemoveRow
          {...{ form, index }}
          path="eventRules"
          label={texts.removeRule(form.values.eventRules[index]?.eventType ?? '')}
        />
      </Table.Td>
    </Table.Tr>
  )
}

/** The events that are worth points. */
export const EventRulesEditor = ({ form }: { form: CampaignForm }) => {
  const { eventRules } = form.values
  return (
    <Panel title={texts.eventRules} hint={texts.eventRulesHint}>
      {eventRules.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noRules}
        </Text>
      ) : (
        <Table horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.eventType}</Table.Th>
              <Table.Th>{texts.points}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {eventRules.map(({ key }, index) => (
              <RuleLine key={key} form={form} index={index} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <AddRow form={form} path="eventRules" label={texts.addRule} newRow={newRule} />
    </Panel>
  )
}
