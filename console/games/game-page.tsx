import { usePageId } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { gameSetUps } from '../generated/games.ts'
import { chosen } from '../parts/choice-field.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { GameEditor } from './game-editor.tsx'

const gameTypes = ['NEON_WHEEL', 'COSMIC_SLOTS', 'ENIGMA_BOXES'] as const

const dayMs = 24 * 3600 * 1000

/** The last 30 days, as whole days of UTC. */
const lastDays = () => {
  const tomorrow = Math.floor(Date.now() / dayMs + 1) * dayMs
  const at = (daysAgo: number) => new Date(tomorrow - daysAgo * dayMs).toISOString()
  return { from: at(30), to: at(0) }
}

/** The set-up of one game: its rewards, their odds, and the resulting payout. */
export const GamePage = () => {
  const gameType = chosen(usePageId(), gameTypes)
  const variables = lastDays()
  const query = usePage(gameSetUps, variables)
  if (!gameType) return <NotFound />
  return (
    <Page title={gameNames[gameType]} operation={gameSetUps} variables={variables} asked={query}>
      {({ active, inactive }) => {
        const game = [...active, ...inactive].find((item) => item.gameType === gameType)
        return (
          <GameEditor
            key={gameType}
            gameType={gameType}
            game={game}
            plays={game?.statistics[0]?.total}
          />
        )
      }}
    </Page>
  )
}
