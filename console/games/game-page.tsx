import { usePageId } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { gameSetUps } from '../generated/games.ts'
import { chosen } from '../parts/choice-field.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { GameEditor } from './game-editor.tsx'

const gameTypes = ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'] as const

/** The set-up of one game: its rewards, their odds, and the resulting payout. */
export const GamePage = () => {
  const gameType = chosen(usePageId(), gameTypes)
  const asked = usePage(gameSetUps, {})
  if (!gameType) return <NotFound />
  return (
    <Page title={gameNames[gameType]} operation={gameSetUps} variables={{}} asked={asked}>
      {({ active, inactive }) => (
        <GameEditor
          key={gameType}
          gameType={gameType}
          game={[...active, ...inactive].find((one) => one.gameType === gameType)}
        />
      )}
    </Page>
  )
}
