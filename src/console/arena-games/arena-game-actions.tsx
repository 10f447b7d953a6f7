import { archiveArenaGame } from '../../generated/operations/arena-games.ts'
import { useChange } from '../client/use-change.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { SubmitBuild } from './submit-build.tsx'

/** What a developer can do with a game that is not archived. */
export const ArenaGameActions = (props: {
  of: { id: string; name: string; status: string | null }
}) => {
  const { id, name, status } = props.of
  const archive = useChange(archiveArenaGame)
  if (status === 'ARCHIVED') return null
  return (
    <>
      <SubmitBuild gameId={id} />
      <DangerButton
        right="ARENA_WRITE"
        size="xs"
        label={texts.archive}
        explanation={texts.archiveExplanation}
        name={name}
        act={() => archive.mutateAsync({ input: { gameId: id } })}
        done={texts.archived}
      />
    </>
  )
}
