import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'

/** Longer ids are shortened. */
const maxLength = 22

export const isLongId = (id: string) => id.length > maxLength

/** The beginning and the end of a long id, which differ most; a short id as it is. */
export const shortIdOf = (id: string) => (isLongId(id) ? `${id.slice(0, 12)}…${id.slice(-6)}` : id)

/** An id in a column. A long one is shortened, shows itself in full on hover and focus, and is copied by a click. */
export const ShortId = ({ of }: { of: string | null | undefined }) => {
  if (of == null) return '–'
  if (!isLongId(of)) return of
  return (
    <CopyButton value={of}>
      {({ copied, copy }) => (
        <Tooltip
          label={copied ? texts.copied : of}
          multiline
          maw={420}
          events={{ hover: true, focus: true, touch: true }}
        >
          <UnstyledButton
            fz="inherit"
            ff="monospace"
            style={{ whiteSpace: 'nowrap' }}
            aria-label={texts.copyId(of)}
            onClick={copy}
          >
            {shortIdOf(of)}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
