import { useChange } from '../client/use-change.ts'
import { updateArenaGame } from '../generated/arena-games.ts'
import type { ArenaGameDetailsFragment } from '../generated/types.ts'
import { changesIn } from '../parts/form-changes.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useEditDialog } from '../parts/use-edit-dialog.ts'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { GameFields, gameValuesOf } from './game-fields.tsx'

/** Edits the fields that need no review. Open sessions keep their players and their fee. */
export const EditGame = ({ of }: { of: ArenaGameDetailsFragment }) => {
  const change = useChange(updateArenaGame)
  const { form, isOpen, start, close } = useEditDialog(gameValuesOf(of))
  return (
    <>
      <RightButton right="ARENA_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        size="lg"
        submit={(values) =>
          change.mutateAsync({ input: { arenaGame: { id: of.id }, ...changesIn(form, values) } })
        }
        done={texts.saved}
      >
        <GameFields form={form} />
      </FormDialog>
    </>
  )
}
