import { Group, Select, type SelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { usePage } from '../client/use-page.ts'
import type { Operation } from '../operation.ts'
import { texts } from '../texts/shell-texts.ts'

/** `hint` tells objects of the same name apart. */
export type Choice = { value: string; label: string; hint?: string }

export const choiceOf = ({ id, name }: { id: string; name: string }): Choice => ({
  value: id,
  label: name,
})

type FoundSelectProps<Data> = Omit<SelectProps, 'data'> & {
  /** Finds objects by a text, or the newest without one. */
  operation: Operation<Data, { search?: string | null | undefined }>
  choicesOf: (data: Data) => readonly Choice[]
  /** The chosen object, if the page knows it, such as from its URL. */
  known?: Choice | undefined
}

/** Chooses one of many objects. The newest are listed first; the server searches the others while the user types. */
export const FoundSelect = <Data,>(props: FoundSelectProps<Data>) => {
  const { operation, choicesOf, known, onChange, ...selectProps } = props
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Choice | undefined>()
  const chosen = known ?? picked
  // The label of the chosen object is in the field, but it is not a search.
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 200)
  const { data } = usePage(operation, search ? { search } : {})
  const found = data ? choicesOf(data) : []
  const isFound = (value: string) => found.some((item) => item.value === value)
  const all = chosen && !isFound(chosen.value) ? [chosen, ...found] : found
  const choiceOfId = (value: string | null) => all.find((item) => item.value === value)
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={data ? texts.nothingFound : texts.loading}
      data={all.map(({ value, label }) => ({ value, label }))}
      filter={({ options }) =>
        options.filter((option) => 'value' in option && isFound(option.value))
      }
      renderOption={({ option: { value, label } }) => (
        <Group justify="space-between" flex={1} gap="xs">
          {label}
          <Text size="xs" c="dimmed">
            {choiceOfId(value)?.hint}
          </Text>
        </Group>
      )}
      onSearchChange={setTyped}
      {...selectProps}
      onChange={(value, option) => {
        setPicked(choiceOfId(value))
        onChange?.(value, option)
      }}
    />
  )
}
