/**
 * `npx tessera arena practice`: plays complete games between an agent and a built-in one, on this machine. The agent is
 * called, and its answers are judged, by the code of the server. There is no server, no database and no rating.
 */
import { randomBytes } from 'node:crypto'
import { styleText } from 'node:util'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Slot } from '../arena/agent-games/agent-game.rules.ts'
import { games } from '../arena/agent-games/all-games.rules.ts'
import { faultKinds, type MoveFault } from '../arena/agents/move.ts'
import { NoConnectionError } from '../arena/agents/outgoing.ts'
import {
  agentSecretPurpose,
  createPlayers,
  type Player,
  type Players,
} from '../arena/agents/player.ts'
import { strategies } from '../arena/agents/strategies.rules.ts'
import { maxFaults } from '../arena/matches/end-reason.rules.ts'
import { firstSlotOf } from '../arena/matches/match.rules.ts'
import { type PracticeMove, startPractice } from '../arena/matches/practice.ts'
import { systemClock } from '../kit/clock.ts'
import { readConfig } from '../kit/config/config.ts'
import { TesseraError } from '../kit/errors.ts'
import { cryptoRandom } from '../kit/random.ts'
import { checkOutgoingUrl, isLoopback } from '../kit/security/address.ts'
import { bindTo, seal } from '../kit/security/seal.ts'
import { integer } from '../kit/validation.ts'
import { checkArgument, readArguments, runCommand, UsageError } from './command.ts'

const gameTypes = games.map(({ type }) => type)
const opponents = Object.keys(strategies)

const usage = `tessera arena practice --agent URL [OPTIONS]

Plays games between your WEBHOOK agent and a built-in one. Nothing is stored or rated.

  --agent URL       where your agent is: http://localhost:5001, or a public https address
  --game TYPE       ${gameTypes.join(', ')}; all of them unless given
  --games N         how many of each game, 4 unless given: half of them as player 1, half as player 2
  --against NAME    ${opponents.join(', ')}; random unless given

Requests are signed with the secret that it prints, or with that of TESSERA_AGENT_SECRET.
The exit code is 0 without faults, 1 with one, and 2 for invalid options.`

/** The secret of practice is the same each time, so that an agent can be written with it. It protects nothing. */
const practiceSecret = `whsec_${Buffer.from('tessera arena practice').toString('base64')}`

/** An address of this machine, or one that the server would accept for an agent. @throws UsageError */
const readAddress = async (text: string | undefined): Promise<URL> => {
  if (!text) throw new UsageError('--agent is missing')
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--agent must be an http or https URL')
  if (isLoopback(url)) return url
  try {
    const live = { environment: 'LIVE' } as const
    return new URL(await checkOutgoingUrl(url.href, live, false, '--agent'))
  } catch (error) {
    const { errors } = (error instanceof TesseraError ? error.data : {}) as {
      errors?: { message: string }[]
    }
    throw new UsageError(errors?.[0]?.message ?? (error as Error).message)
  }
}

const oneOf = (name: string, values: string[], text: string): string => {
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase())
  if (!found) throw new UsageError(`${name} must be one of ${values.join(', ')}`)
  return found
}

const readOptions = async () => {
  const option = { type: 'string' } as const
  const { values } = readArguments({ agent: option, game: option, games: option, against: option })
  const wanted = values.game && oneOf('--game', gameTypes, values.game.replaceAll('-', '_'))
  return {
    games: games.filter(({ type }) => !wanted || type === wanted),
    count: checkArgument('--games', z.coerce.number().pipe(integer(1, 1_000)), values.games ?? '4'),
    against: oneOf('--against', opponents, values.against ?? 'random'),
    url: await readAddress(values.agent),
  }
}

type Options = Awaited<ReturnType<typeof readOptions>>

/** The settings of a server that sets none. */
const { arena } = readConfig({})
const secondsToMove = arena.moveTimeMs / 1000

/** What the summary shows. */
const tally = { won: 0, drawn: 0, lost: 0, faults: 0, times: [] as number[] }

const nameOfOwn = 'you'
const columns = Math.max(...[nameOfOwn, ...opponents].map(({ length }) => length))

const boardLines = (board: string[][]) =>
  board.map((row) => row.map((cell) => cell || '·').join(' '))

/** A game whose sides move at the same time has no board to show. */
const showBoard = (board: string[][]) => {
  if (board.length > 1)
    for (const line of boardLines(board)) console.log(styleText('dim', `    ${line}`))
}

const showMove = (move: PracticeMove, opponent: string) => {
  const { isOwn, action, fault, tookMs } = move
  const name = (isOwn ? nameOfOwn : opponent).padEnd(columns)
  const time = isOwn ? styleText('dim', `${Math.round(tookMs)} ms`.padStart(9)) : ''
  const text = `${name}  ${(fault ? '–' : (action ?? '')).padEnd(9)}${time}`
  console.log(fault ? styleText('red', `✗ ${text}`) : `  ${text}`)
}

/** Says what is wrong with an answer, and what was expected. */
const showFault = ({ action, legalMoves, board }: PracticeMove, fault: MoveFault) => {
  const received = {
    ILLEGAL_MOVE: `the move ${JSON.stringify(action)}`,
    TIMEOUT: `no answer in ${secondsToMove} seconds`,
    FAILED: faultReason.text,
  }[fault]
  const rows = [
    [fault, faultKinds[fault]],
    ['Received', received],
    ['Expected', `status 200 and {"move": "…"}, one of ${legalMoves.join(' ')}`],
  ] as const
  for (const [label, text] of rows) console.log(`    ${styleText('dim', label.padEnd(13))}${text}`)
  showBoard(board)
}

const showSummary = () => {
  const { won, drawn, lost, faults, times } = tally
  const total = won + drawn + lost
  const average = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length)
  const text = faults === 0 ? 'No faults.' : `${faults} lost by a fault of your agent.`
  console.log(
    `\n${total} ${total === 1 ? 'game' : 'games'}: ${won} won, ${drawn} drawn, ${lost} lost. ${styleText(faults ? 'red' : 'green', text)}`,
  )
  if (times.length > 0)
    console.log(
      styleText(
        'dim',
        `${times.length} answers took ${Math.round(average)} ms on average and ${Math.round(Math.max(...times))} ms at most. ${secondsToMove} seconds are allowed.`,
      ),
    )
}

/** The agent as a row of the database, with its secret sealed for this process. */
const agentOf = (url: URL, secret: string) => {
  const master = [{ version: 1, text: randomBytes(32).toString('hex') }] as const
  const row = { id: uuid(), partnerId: uuid(), environment: 'LIVE' } as const
  const agent: Player = {
    ...row,
    provider: 'WEBHOOK',
    modelId: 'practice',
    endpointUrl: url.href,
    secret: seal(master, bindTo(row, agentSecretPurpose), secret),
    thinkingStyle: null,
  }
  return { agent, keys: { master } }
}

/** Receives why an answer is FAILED, before its move is reported. */
const faultReason = { text: '' }

const createPracticePlayers = (url: URL, keys: ReturnType<typeof agentOf>['keys']): Players =>
  createPlayers(
    {
      config: { arena, production: false, webhookAllowPrivate: false },
      clock: systemClock,
      random: cryptoRandom,
      keys,
      log: { warn: console.error },
    },
    (error) => {
      const { message } = error
      faultReason.text = message
      if (!(error instanceof NoConnectionError)) return
      console.error(`\nNothing answers at ${url.href} (${message}). Is your agent running?`)
      process.exit(1)
    },
  )

const signs = { won: ['✓', 'green'], drawn: ['=', 'yellow'], lost: ['✗', 'red'] } as const

/** Plays one game and shows it. Returns whether the agent has lost it by a fault. */
const playGame = async (
  play: ReturnType<typeof startPractice>,
  { slot, gameNumber, against }: { slot: Slot; gameNumber: number; against: string },
): Promise<boolean> => {
  const { result, board } = await play(gameNumber, (move) => {
    showMove(move, against)
    if (!move.isOwn) return
    if (move.fault) showFault(move, move.fault)
    if (move.fault !== 'TIMEOUT') tally.times.push(move.tookMs)
  })
  const { winnerSlot, faulted } = result
  const outcome = winnerSlot === null ? 'drawn' : winnerSlot === slot ? 'won' : 'lost'
  const isFault = faulted.includes(slot)
  tally[outcome]++
  if (isFault) tally.faults++
  // The board after a fault is that of the fault.
  if (!isFault) showBoard(board)
  const [sign, color] = signs[outcome]
  console.log(styleText(color, `${sign} ${outcome}${isFault ? ' by a fault' : ''}`))
  return isFault
}

/** Plays all games. Each game has a match on either side. */
const playMatches = async (
  players: Players,
  pair: { agent: Player; opponent: Player },
  { games: chosen, count, against }: Options,
): Promise<void> => {
  let faultsInARow = 0
  const first = Math.ceil(count / 2)
  const sides = [
    { slot: 1, before: 0, played: first },
    { slot: 2, before: first, played: count - first },
  ] as const
  for (const game of chosen)
    for (const { slot, before, played } of sides) {
      const play = startPractice(players, pair, { game, slot })
      for (let gameNumber = 1; gameNumber <= played; gameNumber++) {
        const begins = game.searchDepth > 0 && firstSlotOf(gameNumber) === slot
        const about = `game ${before + gameNumber} of ${count}: you are player ${slot}${begins ? ' and begin' : ''}`
        console.log(`\n${styleText('bold', game.title)} ${styleText('dim', about)}`)
        const isFault = await playGame(play, { slot, gameNumber, against })
        faultsInARow = isFault ? faultsInARow + 1 : 0
        if (faultsInARow < maxFaults) continue
        console.log(`\n${maxFaults} faults in a row lose a match, so practice ends here.`)
        return
      }
    }
}

await runCommand('arena practice', usage, async () => {
  const options = await readOptions()
  const { url, against } = options
  const secret = process.env.TESSERA_AGENT_SECRET ?? practiceSecret
  const { agent, keys } = agentOf(url, secret)
  const opponent: Player = { ...agent, provider: 'BUILTIN', modelId: against, secret: null }
  const players = createPracticePlayers(url, keys)
  process.once('SIGINT', () => {
    showSummary()
    process.exit(130)
  })
  console.log(
    `Your agent at ${styleText('bold', url.href)} plays against “${against}”. Ctrl-C stops it.`,
  )
  if (secret === practiceSecret) console.log(`Requests are signed with ${secret}`)
  // Otherwise the first request would load it, and the first answer would seem slow.
  await import('undici')
  await playMatches(players, { agent, opponent }, options)
  await players.close()
  showSummary()
  if (tally.faults > 0) process.exitCode = 1
})
