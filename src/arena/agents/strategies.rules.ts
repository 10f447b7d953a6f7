/** The strategies of BUILTIN agents. They are pure: all randomness comes from the generator passed in. */
import type { Random } from '../../kit/random.ts'
import type { Game, Moves, Slot } from '../agent-games/agent-game.rules.ts'
import { otherSlot } from '../agent-games/agent-game.rules.ts'
import { beats, type Hand } from '../agent-games/rock-paper-scissors.rules.ts'

/** The moves of an earlier game of the same match. */
export type PastGame = { mine: string[]; theirs: string[] }

type Thought = {
  game: Game
  state: unknown
  slot: Slot
  /** Earlier games of this match, oldest first. */
  history: readonly PastGame[]
  random: Random
}

type Strategy = (thought: Thought) => string

/** How many of the last games count. */
const memory = 1000

const pick = <T>({ random }: Thought, items: readonly T[]): T =>
  items[random.int(items.length)] as T

const legalMoves = ({ game, state, slot }: Thought) => game.legalMoves(state, slot)

/** The items with the highest value. */
const best = <T>(items: readonly T[], worth: (item: T) => number): T[] => {
  let [top, chosen]: [number, T[]] = [Number.NEGATIVE_INFINITY, []]
  for (const item of items) {
    const value = worth(item)
    if (value > top) [top, chosen] = [value, []]
    if (value === top) chosen.push(item)
  }
  return chosen
}

/** A distant result counts slightly less, so that a win is taken at once and a loss delayed. */
const discount = 0.99

/** Values of all states of a game small enough to search completely. */
const known = new WeakMap<Game, Map<string, number>>()
const smallGame = 9

/** The value of a state for the side that moves, from an alpha-beta search of `depth` moves. */
const searchValue = (
  game: Game,
  state: unknown,
  depth: number,
  alpha: number,
  beta: number,
): number => {
  const [slot] = game.turn(state)
  if (!slot) throw new Error('nobody moves in a state that is over')
  const values =
    game.searchDepth >= smallGame ? (known.get(game) ?? new Map<string, number>()) : undefined
  if (values) known.set(game, values)
  // The value of a state depends on the depth of the search.
  const key = values && `${depth} ${JSON.stringify(state)}`
  const remembered = key === undefined ? undefined : values?.get(key)
  if (remembered !== undefined) return remembered
  let value = -1
  let floor = alpha
  for (const move of game.legalMoves(state, slot)) {
    value = Math.max(
      value,
      worthOf(game, game.apply(state, { [slot]: move } as Moves), slot, depth, floor, beta),
    )
    if (values) continue // cached values must be exact
    floor = Math.max(floor, value)
    if (floor >= beta) break
  }
  if (key) values?.set(key, value)
  return value
}

/** The value of the state after a move, for the side that made it. */
const worthOf = (
  game: Game,
  state: unknown,
  slot: Slot,
  depth: number,
  alpha: number,
  beta: number,
): number => {
  const result = game.result(state)
  if (result) return result.winnerSlot === null ? 0 : result.winnerSlot === slot ? 1 : -1
  if (depth <= 1) return game.estimate(state, slot) / 2
  return -discount * searchValue(game, state, depth - 1, -beta / discount, -alpha / discount)
}

/** One of the best moves that a search of this depth finds. */
const search = (thought: Thought, depth: number): string => {
  const { game, state, slot } = thought
  const worth = (move: string) =>
    worthOf(game, game.apply(state, { [slot]: move } as Moves), slot, depth, -1, 1)
  return pick(thought, best(legalMoves(thought), worth))
}

/** Takes a win, prevents a loss, or takes the move that looks best. */
const greedy = (thought: Thought): string => {
  const { game, state, slot } = thought
  const other = otherSlot(slot)
  const moves = legalMoves(thought)
  const after = (move: string) => game.apply(state, { [slot]: move } as Moves)
  const wins = moves.filter((move) => game.result(after(move))?.winnerSlot === slot)
  if (wins.length > 0) return pick(thought, wins)
  const isSafe = (move: string) => {
    const next = after(move)
    return !game
      .legalMoves(next, other)
      .some(
        (answer) =>
          game.result(game.apply(next, { [other]: answer } as Moves))?.winnerSlot === other,
      )
  }
  const safe = moves.filter(isSafe)
  const worth = (move: string) => game.estimate(after(move), slot)
  return pick(thought, best(safe.length > 0 ? safe : moves, worth))
}

const isSimultaneous = ({ game, state }: Thought) => game.turn(state).length === 2

const count = (hands: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const hand of hands) counts.set(hand, (counts.get(hand) ?? 0) + 1)
  return counts
}

/** Beats the hand that the other side showed most often in these games. */
const beatMostFrequent = (thought: Thought, hands: readonly string[]): string => {
  if (hands.length === 0) return pick(thought, legalMoves(thought))
  const counts = count(hands)
  const expected = pick(
    thought,
    best([...counts.keys()], (hand) => counts.get(hand) as number),
  )
  return beats[expected as Hand]
}

/** Both hands of a game, as one key. */
const pairOf = (game: PastGame | undefined) => game && `${game.mine[0]} ${game.theirs[0]}`

/** The hands that the other side showed after earlier runs of games equal to the last `order` games. */
const afterSuchGames = (games: readonly PastGame[], order: number): string[] => {
  const recent = games.slice(-order).map(pairOf)
  const hands: string[] = []
  for (let i = order; i < games.length; i++)
    if (recent.every((pair, back) => pair === pairOf(games[i - order + back])))
      hands.push(games[i]?.theirs[0] ?? '')
  return hands.filter((hand) => hand in beats)
}

const random: Strategy = (thought) => pick(thought, legalMoves(thought))

/** Perfect in games small enough to search completely. In simultaneous games, the equilibrium strategy. */
const minimax: Strategy = (thought) =>
  isSimultaneous(thought) ? random(thought) : search(thought, thought.game.searchDepth)

const frequency: Strategy = (thought) =>
  isSimultaneous(thought)
    ? beatMostFrequent(
        thought,
        thought.history
          .slice(-memory)
          .flatMap(({ theirs }) => theirs.slice(0, 1))
          .filter((hand) => hand in beats),
      )
    : greedy(thought)

const markov: Strategy = (thought) => {
  if (!isSimultaneous(thought)) return search(thought, Math.min(3, thought.game.searchDepth))
  const games = thought.history.slice(-memory)
  for (const order of [2, 1]) {
    const hands = games.length > order ? afterSuchGames(games, order) : []
    if (hands.length >= order) return beatMostFrequent(thought, hands)
  }
  return frequency(thought)
}

/** Mostly sound: one move in six is random. */
const mixed: Strategy = (thought) => {
  if (thought.random.int(6) === 0) return random(thought)
  if (!isSimultaneous(thought)) return minimax(thought)
  return pick(thought, [markov, frequency, random])(thought)
}

export const strategies = { random, minimax, frequency, markov, mixed } satisfies Record<
  string,
  Strategy
>

export type StrategyName = keyof typeof strategies

export const isStrategy = (name: string): name is StrategyName => Object.hasOwn(strategies, name)
