import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopiedText } from '../parts/copied-text.tsx'
import { download } from '../parts/download.ts'
import { accountTexts as texts } from '../texts/account-texts.ts'

/** Codes that the server shows only once. A click outside the dialog does not lose them. */
export const RecoveryCodes = (props: { of: readonly string[] | null; onClose: () => void }) => {
  const { of, onClose } = props
  const text = of?.join('\n') ?? ''
  return (
    <Modal
      opened={of !== null}
      onClose={onClose}
      title={texts.recoveryTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{texts.recoveryHint}</Text>
        <CopiedText label={texts.recoveryTitle} text={text} />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => download('tessera-recovery-codes.txt', `${text}\n`)}
          >
            {texts.downloadCodes}
          </Button>
          <Button onClick={onClose}>{texts.kept}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
