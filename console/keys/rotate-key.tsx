import { Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { rotateApiKey } from '../generated/keys.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { showSecret } from '../parts/secret-dialog.tsx'
import { keysTexts as texts } from '../texts/keys-texts.ts'
import type { KeyRow } from './key-row.ts'

export const RotateKey = ({ of }: { of: KeyRow }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(rotateApiKey)
  const form = useForm({ initialValues: { grace: '86400' } })
  return (
    <>
      <RightButton right="KEYS_WRITE" size="xs" variant="default" onClick={open}>
        {texts.rotate}
      </RightButton>
      <FormDialog
        title={texts.rotate}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async ({ grace }) => {
          const input = { apiKeyId: of.id, graceSeconds: Number(grace) }
          const { key } = await change.mutateAsync({ input })
          showSecret({ title: texts.created1, hint: texts.keepHints[of.kind], secret: key })
        }}
        submitLabel={texts.rotate}
      >
        <Text size="sm">{texts.rotateHint}</Text>
        <Select
          label={texts.grace}
          allowDeselect={false}
          data={Object.entries(texts.graces).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('grace')}
        />
      </FormDialog>
    </>
  )
}
