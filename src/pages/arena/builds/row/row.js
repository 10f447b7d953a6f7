/**
 * Discs in a row, for two players, each on their own screen; without a session, both on one. A demo of the arena SDK:
 * every move is relayed, including the player's own, so all screens show the same game. `?columns=5&rows=4&connect=3`
 * makes it smaller.
 */
const query = new URLSearchParams(location.search)
const setting = (key, standard, min, max) =>
  Math.min(max, Math.max(min, Number.parseInt(query.get(key) ?? standard, 10) || standard))

const columns = setting('columns', 7, 3, 9)
const rows = setting('rows', 6, 3, 8)
const connect = setting('connect', 4, 3, 5)

const find = (id) => document.getElementById(id)
const turn = find('turn')
const board = find('board')
const again = find('again')

let session = null
/** The ids of both players, the first to move first. Empty in practice. */
let players = []
/** Whose screen this is: 1, 2, or null for a spectator and in practice. */
let me = null
let discs = []
let moves = []
let winner = null
/** Whether a move of this screen is on its way. */
let isSending = false

const cellAt = (column, row) => board.children[column]?.children[rows - 1 - row]
const playerAt = (column, row) => discs[column]?.[row]
const playerToMove = () => (moves.length % 2) + 1
const isFull = () => moves.length === columns * rows
const isOver = () => winner !== null || isFull()
const nameOf = (player) => (player === me ? 'You' : `Player ${player}`)
const wins = (player) => `${nameOf(player)} ${player === me ? 'win' : 'wins'}`
const mayMove = () =>
  !isSending && !isOver() && (session === null || (me !== null && me === playerToMove()))

const say = (text, player) => {
  turn.textContent = text
  if (player) turn.dataset.player = player
  else delete turn.dataset.player
}

const showSeats = () => {
  const active = winner ?? (isOver() ? null : playerToMove())
  for (const seat of find('seats').children) {
    const player = Number(seat.dataset.player)
    seat.textContent = nameOf(player)
    seat.classList.toggle('active', player === active)
  }
}

const show = () => {
  showSeats()
  board.dataset.player = playerToMove()
  board.classList.toggle('open', mayMove())
  board.classList.toggle('won', winner !== null)
  for (const [column, button] of [...board.children].entries()) {
    const free = rows - discs[column].length
    button.setAttribute('aria-label', `Column ${column + 1}, ${free} free`)
    // A disabled button would lose the focus at each move of the opponent.
    button.setAttribute('aria-disabled', String(!mayMove() || free === 0))
  }
  again.hidden = !isOver() || (session !== null && (winner !== null || me === null))
  if (winner !== null) return
  if (isFull()) say('Nobody wins. Once more?')
  else say(playerToMove() === me ? 'Your move' : `Player ${playerToMove()} to move`, playerToMove())
}

/** The discs in line with the one that fell last, if they are enough to win. */
const lineThrough = (column, row) => {
  const player = playerAt(column, row)
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ]) {
    const line = [[column, row]]
    for (const way of [1, -1])
      for (let n = 1; playerAt(column + way * n * dx, row + way * n * dy) === player; n++)
        line.push([column + way * n * dx, row + way * n * dy])
    if (line.length >= connect) return line
  }
  return null
}

/** Both players report. The same result counts once, and with QUORUM both are needed. */
const report = async () => {
  const [first, second] = players
  const scores = { [first]: winner === 1 ? 1 : 0, [second]: winner === 2 ? 1 : 0 }
  const result = { winnerId: players[winner - 1], scores, results: { moves } }
  try {
    const { winnerPrize, awaitingReports } = await ArenaGame.reportResult(result)
    if (awaitingReports) say(`${wins(winner)}; the others must confirm it.`, winner)
    else if (winnerPrize > 0) say(`${wins(winner)} ${winnerPrize} points`, winner)
  } catch (error) {
    say(`${wins(winner)}, but: ${error.message}`, winner)
  }
}

const drop = (column) => {
  const row = discs[column].length
  const player = playerToMove()
  board.querySelector('.last')?.classList.remove('last')
  discs[column].push(player)
  moves.push(column)
  const cell = cellAt(column, row)
  cell.style.setProperty('--fall', rows - row)
  cell.dataset.player = player
  cell.classList.add('last')
  const line = lineThrough(column, row)
  if (!line) return
  for (const [x, y] of line) cellAt(x, y).classList.add('line')
  winner = player
  say(wins(player), player)
  if (session && me) report()
}

const begin = () => {
  discs = Array.from({ length: columns }, () => [])
  moves = []
  winner = null
  for (const cell of board.querySelectorAll('.cell')) {
    cell.className = 'cell'
    delete cell.dataset.player
  }
}

/** All screens ignore the same illegal moves. */
const isAllowed = ({ playerId, data }) => {
  if (data.again) return isOver() && (session === null || winner === null)
  if (isOver() || !(discs[data.column]?.length < rows)) return false
  return session === null || playerId === players[playerToMove() - 1]
}

ArenaGame.onMove((move) => {
  if (!isAllowed(move)) return
  if (move.data.again) begin()
  else drop(move.data.column)
  show()
})

const send = async (data) => {
  isSending = true
  show()
  try {
    await ArenaGame.send(data)
  } catch (error) {
    say(`That move did not count: ${error.message}`)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
  isSending = false
  show()
}

const columnButton = (column) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'column'
  for (let row = 0; row < rows; row++) {
    const cell = document.createElement('span')
    cell.className = 'cell'
    button.append(cell)
  }
  button.addEventListener('click', () => {
    if (mayMove() && discs[column].length < rows) send({ column })
  })
  button.addEventListener('keydown', ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (step) board.children[column + step]?.focus()
  })
  return button
}

document.documentElement.style.setProperty('--columns', columns)
document.documentElement.style.setProperty('--rows', rows)
board.append(...Array.from({ length: columns }, (_, column) => columnButton(column)))
again.onclick = () => send({ again: true })
begin()

ArenaGame.onConnection((state) => {
  find('link').hidden = state !== 'offline'
  if (state === 'refused') say('Only the players may see this game.')
})
ArenaGame.ready().then((start) => {
  session = start.session
  players = session?.players.map(({ id }) => id) ?? []
  me = players.indexOf(start.playerId) + 1 || null
  show()
  return ArenaGame.join()
})
