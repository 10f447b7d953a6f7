import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** A choice between a few values, with their descriptions. Takes the props of `form.getInputProps`. */
export const RadioField = <Value extends string>(props: {
  label: string
  description?: string
  choices: Readonly<Record<Value, { label: string; hint: string; isDisabled?: boolean }>>
  value?: Value
  onChange?: (value: Value) => void
  error?: ReactNode
}) => {
  const { label, description, choices, value, onChange, error } = props
  return (
    <Radio.Group
      label={label}
      description={description}
      value={value ?? null}
      onChange={(chosen) => onChange?.(chosen as Value)}
      error={error}
    >
      <Stack gap="xs" mt={6}>
        {(Object.keys(choices) as Value[]).map((name) => (
          <Radio
            key={name}
            value={name}
            label={choices[name].label}
            description={choices[name].hint}
            disabled={choices[name].isDisabled ?? false}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
