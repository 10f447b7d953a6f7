import type { Game, Slot } from './agent-game.rules.ts'

const actions = ['ROCK', 'PAPER', 'SCISSORS'] as const
export type Hand = (typeof actions)[number]

/** The hand that beats each hand. */
export const beats: Record<Hand, Hand> = { ROCK: 'PAPER', PAPER: 'SCISSORS', SCISSORS: 'ROCK' }

type State = { hands: { 1: Hand; 2: Hand } | null }

const winnerOf = (hands: { 1: Hand; 2: Hand }): Slot | null =>
  beats[hands[1]] === hands[2] ? 2 : beats[hands[2]] === hands[1] ? 1 : null

/** Both sides show a hand at the same time. */
export const game: Game<State> = {
  type: 'ROCK_PAPER_SCISSORS',
  title: 'Rock paper scissors',
  rules:
    'Both players show ROCK, PAPER or SCISSORS at the same time. PAPER beats ROCK, SCISSORS beats PAPER, ROCK beats SCISSORS; equal hands are a draw.',
  isListed: true,
  searchDepth: 0,
  start: () => ({ hands: null }),
  turn: ({ hands }) => (hands ? [] : [1, 2]),
  legalMoves: ({ hands }) => (hands ? [] : [...actions]),
  apply: (_, moves) => ({ hands: { 1: moves[1] as Hand, 2: moves[2] as Hand } }),
  result: ({ hands }) => hands && { winnerSlot: winnerOf(hands) },
  cells: { ROCK: 'A closed fist.', PAPER: 'An open hand.', SCISSORS: 'Two fingers.' },
  render: ({ hands }) => [[hands?.[1] ?? '', hands?.[2] ?? '']],
  estimate: () => 0,
}
