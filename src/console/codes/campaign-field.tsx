import { Group, Select, type SelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { campaignChoices } from '../../generated/operations/codes.ts'
import type { CampaignChoicesQuery } from '../../generated/operations/types.ts'
import { usePage } from '../client/use-page.ts'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

type Choice = CampaignChoicesQuery['campaigns']['nodes'][number]

/** Chooses one of all campaigns that take codes. The newest come first, the others as one types. */
export const CampaignField = ({ onChange, ...props }: SelectProps) => {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Choice | null>(null)
  // What is chosen stands in the field, and is no search.
  const [term] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), 200)
  const { data } = usePage(campaignChoices, term ? { filter: { search: term } } : {})
  /** An ended campaign takes no codes. */
  const found = (data?.campaigns.nodes ?? []).filter(({ phase }) => phase !== 'ENDED')
  const isFound = (id: string) => found.some((one) => one.id === id)
  const known = chosen && !isFound(chosen.id) ? [chosen, ...found] : found
  return (
    <Select
      label={texts.campaign}
      placeholder={texts.campaignPlaceholder}
      required
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      nothingFoundMessage={data ? shellTexts.nothingFound : shellTexts.loading}
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options.filter((one) => 'value' in one && isFound(one.value))}
      renderOption={({ option }) => (
        <Group justify="space-between" flex={1} gap="xs">
          {option.label}
          <Text size="xs" c="dimmed">
            {known.find(({ id }) => id === option.value)?.slug}
          </Text>
        </Group>
      )}
      onSearchChange={setTyped}
      {...props}
      onChange={(id, option) => {
        setChosen(known.find((one) => one.id === id) ?? null)
        onChange?.(id, option)
      }}
    />
  )
}
