import { useChange } from '../client/use-change.ts'
import { activateGame, deactivateGame } from '../generated/games.ts'
import type { GameSetUpFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { gamesTexts as texts } from '../texts/games-texts.ts'

/** Hides a game from users, or lets them play it again. */
export const GameStatusButton = ({ of }: { of: GameSetUpFragment }) => {
  const activation = useChange(activateGame)
  const deactivation = useChange(deactivateGame)
  const isActive = of.status === 'ACTIVE'
  return (
    <ActionButton
      right="GAMES_WRITE"
      label={isActive ? texts.deactivate : texts.activate}
      act={() =>
        (isActive ? deactivation : activation).mutateAsync({ input: { gameType: of.gameType } })
      }
      done={isActive ? texts.deactivated : texts.activated}
    />
  )
}
