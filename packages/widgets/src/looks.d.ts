import type { BoardRound } from '../../client/src/match-state.ts'
import type { Drawing } from './jsx-runtime.ts'

type Agents = Record<'agent1' | 'agent2', { displayName: string }>

/** How a game looks, by its type. */
export const lookOf: (gameType: string) => {
  Board(props: { match: Agents; game: BoardRound | null }): Drawing
}
export const boardStyles: string
