import { Group, Select, SimpleGrid, TagsInput, Text, TextInput } from '@mantine/core'
import { AddRow, RemoveRow } from '../parts/row-list.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { goalEditorTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { type ConditionRow, type GoalForm, isOfNumber, newCondition } from './goal-form.ts'

const tests = Object.entries(words.tests).map(([value, label]) => ({ value, label }))

/** What a condition compares with. */
const Compared = ({ form, path, of }: { form: GoalForm; path: string; of: ConditionRow }) => {
  if (of.test === 'EXISTS') return null
  if (isOfNumber(of.test))
    return (
      <WholeNumberField
        label={texts.number}
        allowDecimal
        min={-1e12}
        max={1e12}
        {...form.getInputProps(`${path}.number`)}
      />
    )
  const { value: _, onChange, ...props } = form.getInputProps(`${path}.values`)
  return of.test === 'ONE_OF' ? (
    <TagsInput
      label={texts.values}
      required
      maxTags={50}
      value={of.values}
      onChange={onChange}
      {...props}
    />
  ) : (
    <TextInput
      label={texts.value}
      required
      maxLength={255}
      value={of.values[0] ?? ''}
      onChange={({ currentTarget: { value } }) => onChange([value])}
      {...props}
    />
  )
}

/** The conditions on the metadata of what a task counts. */
export const ConditionEditor = (props: {
  form: GoalForm
  path: string
  of: readonly ConditionRow[]
}) => {
  const { form, path, of } = props
  return (
    <div>
      {of.length > 0 && (
        <Text size="sm" fw={500}>
          {texts.conditions}
        </Text>
      )}
      {of.map((condition, n) => (
        <Group key={condition.id} align="flex-end" gap="xs" wrap="nowrap" mb="xs">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs" flex={1}>
            <TextInput
              label={texts.key}
              required
              maxLength={100}
              {...form.getInputProps(`${path}.${n}.key`)}
            />
            <Select
              label={texts.test}
              allowDeselect={false}
              data={tests}
              {...form.getInputProps(`${path}.${n}.test`)}
            />
            <Compared form={form} path={`${path}.${n}`} of={condition} />
          </SimpleGrid>
          <RemoveRow {...{ form, path }} index={n} label={texts.removeCondition(condition.key)} />
        </Group>
      ))}
      {of.length < 8 && (
        <AddRow {...{ form, path }} label={texts.addCondition} newRow={newCondition} />
      )}
    </div>
  )
}
