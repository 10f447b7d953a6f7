import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { submitArenaGame } from '../generated/arena-games.ts'
import { sentOf } from '../parts/form-changes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { GameFields, gameValuesOf } from './game-fields.tsx'

/** Submits a game for review, and goes to its page. */
export const SubmitGame = () => {
  const [isOpen, { open, close }] = useCreateDialog('ARENA_WRITE')
  const change = useChange(submitArenaGame)
  const goTo = useGoTo()
  const form = useForm({ initialValues: { ...gameValuesOf(), buildUrl: '', version: '1.0.0' } })
  return (
    <>
      <RightButton right="ARENA_WRITE" onClick={open}>
        {texts.submit}
      </RightButton>
      <FormDialog
        title={texts.submit}
        isOpen={isOpen}
        onClose={close}
        form={form}
        size="lg"
        submit={async ({ name, buildUrl, ...values }) => {
          const input = { ...sentOf(values), name, buildUrl }
          const { arenaGame } = await change.mutateAsync({ input })
          goTo({ page: 'arena-games', id: arenaGame.id })
        }}
        submitLabel={texts.submit}
        done={texts.submitted}
      >
        <GameFields form={form} />
        <TextInput
          label={texts.buildUrl}
          description={texts.buildUrlHint}
          type="url"
          required
          {...form.getInputProps('buildUrl')}
        />
        <TextInput label={texts.version} {...form.getInputProps('version')} />
      </FormDialog>
    </>
  )
}
