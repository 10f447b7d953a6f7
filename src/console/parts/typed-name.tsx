import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useEnvironment } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'

/** With live data, what cannot be undone asks for the name of the thing. With test data, it asks for none. */
export const useTypedName = (name: string) => {
  const isLive = useEnvironment() === 'LIVE'
  const [typed, setTyped] = useState('')
  return {
    isRight: !isLive || typed.trim() === name,
    clear: () => setTyped(''),
    field: isLive && (
      <TextInput
        label={texts.typeToConfirm(name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    ),
  }
}
