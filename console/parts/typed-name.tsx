import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useEnvironment } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'

/** In LIVE, an irreversible action requires typing the name of the object. In TEST, it does not. Null requires none. */
export const useTypedName = (name: string | null) => {
  const isLive = useEnvironment() === 'LIVE' && name !== null
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
