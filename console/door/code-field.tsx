import { TextInput } from '@mantine/core'
import { doorTexts as texts } from '../texts/door-texts.ts'

/** The code of the second factor. */
export const CodeField = ({ value, set }: { value: string; set: (value: string) => void }) => (
  <TextInput
    label={texts.code}
    description={texts.codeHint}
    autoComplete="one-time-code"
    required
    autoFocus
    value={value}
    onChange={(event) => set(event.currentTarget.value)}
  />
)
