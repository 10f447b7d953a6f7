/**
 * Discs in a row, for two players on one screen. `?columns=5&rows=4&connect=3` makes it smaller. A demo of
 * the arena SDK: it plays a session to its end and reports who has won.
 */
const query = new URLSearchParams(location.search)
const setting = (key, standard, min, max) =>
  Math.min(max, Math.max(min, Number.parseInt(query.get(key) ?? standard, 10) || standard))

const columns = setting('columns', 7, 3, 9)
const rows = setting('rows', 6, 3, 8)
const connect = setting('connect', 4, 3, 5)

const turn = document.getElementById('turn')
const board = document.getElementById('board')
const again = document.getElementById('again')

let session = null
let mySlot = null
let discs = []
let moves = []

const cellAt = (column, row) => board.children[column]?.children[rows - 1 - row]
const playerAt = (column, row) => discs[column]?.[row]
const playerToMove = () => (moves.length % 2) + 1
const nameOf = (player) => `Player ${player}${player === mySlot ? ' (you)' : ''}`

const say = (text, player) => {
  turn.textContent = text
  if (player) turn.dataset.player = player
  else delete turn.dataset.player
}

const freeze = () => {
  for (const column of board.children) column.disabled = true
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

const finish = async (winner) => {
  freeze()
  if (!session) {
    say(`${nameOf(winner)} wins`, winner)
    again.hidden = false
    return
  }
  const [first, second] = session.players
  const winnerId = winner === 1 ? first.id : second.id
  const scores = { [first.id]: winner === 1 ? 1 : 0, [second.id]: winner === 2 ? 1 : 0 }
  say(`${nameOf(winner)} wins. Reporting…`, winner)
  again.hidden = true
  try {
    const result = await ArenaGame.reportResult({ winnerId, scores, results: { moves } })
    const { winnerPrize, awaitingReports } = result
    if (awaitingReports) say(`${nameOf(winner)} wins; the others must confirm it.`, winner)
    else if (winnerPrize > 0) say(`${nameOf(winner)} wins ${winnerPrize} points`, winner)
    else say(`${nameOf(winner)} wins`, winner)
  } catch (error) {
    say(`${nameOf(winner)} wins, but: ${error.message}`, winner)
    // What was refused for good stays refused; what did not arrive can be sent again.
    if (error.status) return
    again.textContent = 'Report again'
    again.hidden = false
    again.onclick = () => finish(winner)
  }
}

const drop = (column) => {
  const row = discs[column].length
  if (row >= rows) return
  const player = playerToMove()
  discs[column].push(player)
  moves.push(column)
  const cell = cellAt(column, row)
  cell.style.setProperty('--fall', rows - row)
  cell.dataset.player = player
  label(column)
  const line = lineThrough(column, row)
  if (line) {
    for (const [x, y] of line) cellAt(x, y).classList.add('line')
    finish(player)
  } else if (moves.length === columns * rows) {
    freeze()
    say('Nobody wins. Once more?')
    again.hidden = false
  } else say(`${nameOf(playerToMove())} to move`, playerToMove())
}

const label = (column) => {
  const free = rows - discs[column].length
  board.children[column].setAttribute('aria-label', `Column ${column + 1}, ${free} free`)
  board.children[column].disabled = free === 0
}

const begin = () => {
  discs = Array.from({ length: columns }, () => [])
  moves = []
  again.hidden = true
  board.replaceChildren(
    ...discs.map((_, column) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'column'
      button.append(
        ...Array.from({ length: rows }, () => {
          const cell = document.createElement('span')
          cell.className = 'cell'
          return cell
        }),
      )
      button.addEventListener('click', () => drop(column))
      return button
    }),
  )
  discs.forEach((_, column) => {
    label(column)
  })
  say(`${nameOf(1)} to move`, 1)
}

document.documentElement.style.setProperty('--columns', columns)
document.documentElement.style.setProperty('--rows', rows)
again.onclick = begin
begin()
freeze()
say('Loading…')
ArenaGame.ready().then((start) => {
  session = start.session
  mySlot = session?.players.find(({ id }) => id === start.playerId)?.slot ?? null
  begin()
})
