import { lazyRouteComponent } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { activateGame, deactivateGame } from '../generated/games.ts'
import type { GameSetUpFragment } from '../generated/types.ts'
import { CheckedButton } from '../parts/checked-button.tsx'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import { inputOfGame, valuesOfGame } from './game-form.ts'

// Loaded when it is opened.
export const GameCheck = lazyRouteComponent(() => import('./game-check.tsx'), 'GameCheck')

/** Hides a game from users, or lets them play it again. */
export const GameStatusButton = ({ of }: { of: GameSetUpFragment }) => {
  const activation = useChange(activateGame)
  const deactivation = useChange(deactivateGame)
  const isActive = of.status === 'ACTIVE'
  return (
    <CheckedButton
      right="GAMES_WRITE"
      label={isActive ? texts.deactivate : texts.activate}
      name={of.name}
      act={() =>
        (isActive ? deactivation : activation).mutateAsync({ input: { gameType: of.gameType } })
      }
      done={isActive ? texts.deactivated : texts.activated}
      check={(frame) => (
        <GameCheck
          frame={frame}
          game={inputOfGame(of.gameType, of.version, valuesOfGame(of))}
          to={isActive ? 'deactivate' : 'activate'}
        />
      )}
    />
  )
}
