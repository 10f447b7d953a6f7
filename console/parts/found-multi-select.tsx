import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { usePage } from '../client/use-page.ts'
import type { Operation } from '../operation.ts'
import { texts } from '../texts/shell-texts.ts'
import type { Choice } from './found-select.tsx'

type FoundMultiSelectProps<Data, Found extends Choice> = Omit<
  MultiSelectProps,
  'data' | 'value' | 'onChange' | 'defaultValue'
> & {
  /** Finds objects by a text, or the newest without one. */
  operation: Operation<Data, { search?: string | null | undefined }>
  choicesOf: (data: Data) => readonly Found[]
  value?: readonly Found[]
  onChange?: (chosen: Found[]) => void
}

/** Chooses some of many objects, which the server searches while the user types. Takes the props of `form.getInputProps`. */
export const FoundMultiSelect = <Data, Found extends Choice>(
  props: FoundMultiSelectProps<Data, Found>,
) => {
  const { operation, choicesOf, value = [], onChange, placeholder, ...others } = props
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = usePage(operation, search ? { search } : {})
  const found = data ? choicesOf(data) : []
  const isFound = (id: string) => found.some((item) => item.value === id)
  const all = [...value.filter((item) => !isFound(item.value)), ...found]
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      nothingFoundMessage={data ? texts.nothingFound : texts.loading}
      data={[
        ...new Map(
          all.map((item) => [item.value, { value: item.value, label: item.label }]),
        ).values(),
      ]}
      filter={({ options }) =>
        options.filter((option) => 'value' in option && isFound(option.value))
      }
      searchValue={typed}
      onSearchChange={setTyped}
      value={[...new Set(value.map((item) => item.value))]}
      onChange={(ids) =>
        onChange?.(ids.flatMap((id) => all.find((item) => item.value === id) ?? []))
      }
      {...(value.length === 0 && placeholder !== undefined && { placeholder })}
      {...others}
    />
  )
}
