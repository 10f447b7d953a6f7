import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { submitArenaBuild } from '../generated/arena-games.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'

export const SubmitBuild = ({ gameId }: { gameId: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(submitArenaBuild)
  const form = useForm({ initialValues: { buildUrl: '', version: '' } })
  return (
    <>
      <RightButton right="ARENA_WRITE" variant="default" onClick={open}>
        {texts.newBuild}
      </RightButton>
      <FormDialog
        title={texts.newBuild}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ buildUrl, version }) =>
          change.mutateAsync({
            input: { arenaGame: { id: gameId }, buildUrl, ...(version && { version }) },
          })
        }
        submitLabel={texts.newBuild}
        done={texts.buildSubmitted}
      >
        <TextInput
          label={texts.buildUrl}
          description={texts.buildUrlHint}
          type="url"
          required
          data-autofocus
          {...form.getInputProps('buildUrl')}
        />
        <TextInput label={texts.version} {...form.getInputProps('version')} />
      </FormDialog>
    </>
  )
}
