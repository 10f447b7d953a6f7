import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import {
  archiveAnyArenaGame,
  featureArenaGame,
  unfeatureArenaGame,
} from '../generated/arena-game.ts'
import type { ArenaGameStatus } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'

type Game = {
  id: string
  name: string
  status: ArenaGameStatus | null
  isFeatured: boolean
  buildUrl: string | null
}

/** Features and archives a game of any developer. Only operators see it. */
export const OperatorGameActions = ({ of, isOwn = false }: { of: Game; isOwn?: boolean }) => {
  const { id, name, status, isFeatured, buildUrl } = of
  const feature = useChange(featureArenaGame)
  const unfeature = useChange(unfeatureArenaGame)
  const archive = useChange(archiveAnyArenaGame)
  const { member } = useViewer()
  const input = { input: { arenaGame: { id } } }
  if (!member?.isOperator) return null
  return (
    <>
      {isFeatured && (
        <ActionButton
          right="ARENA_OPERATOR"
          label={texts.unfeature}
          act={() => unfeature.mutateAsync(input)}
          done={texts.unfeatured}
        />
      )}
      {!isFeatured && buildUrl !== null && (
        <ActionButton
          right="ARENA_OPERATOR"
          label={texts.feature}
          act={() => feature.mutateAsync(input)}
          done={texts.featuredDone}
        />
      )}
      {!isOwn && status !== 'ARCHIVED' && (
        <DangerButton
          right="ARENA_OPERATOR"
          label={texts.archive}
          explanation={texts.archiveExplanation}
          name={name}
          act={() => archive.mutateAsync(input)}
          done={texts.archived}
        />
      )}
    </>
  )
}
