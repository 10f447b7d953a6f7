import { useChange } from '../client/use-change.ts'
import { archiveArenaGame } from '../generated/arena-games.ts'
import type { ArenaGameDetailsFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { EditGame } from './edit-game.tsx'
import { SubmitBuild } from './submit-build.tsx'

/** The developer's actions for a game that is not archived. */
export const ArenaGameActions = ({ of }: { of: ArenaGameDetailsFragment }) => {
  const { id, name, status } = of
  const archive = useChange(archiveArenaGame)
  if (status === 'ARCHIVED') return null
  return (
    <>
      <EditGame of={of} />
      <SubmitBuild gameId={id} />
      <DangerButton
        right="ARENA_WRITE"
        label={texts.archive}
        explanation={texts.archiveExplanation}
        name={name}
        act={() => archive.mutateAsync({ input: { arenaGame: { id } } })}
        done={texts.archived}
      />
    </>
  )
}
