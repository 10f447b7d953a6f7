/** The page around a game: passes the session to it, and shows its progress. */
const main = document.querySelector('main')
const frame = document.querySelector('iframe')
const { gameId, name, slug } = main.dataset
const given = new URLSearchParams(location.hash.slice(1))
const mine = {
  sessionId: given.get('session'),
  playerId: given.get('player'),
  token: given.get('token'),
}
const pollMs = 2_000
const number = new Intl.NumberFormat('en')

let session = null
let isReady = false
let isStarted = false

const find = (id) => document.getElementById(id)
const points = (value) => `${number.format(value)} point${value === 1 ? '' : 's'}`

const states = {
  WAITING: 'Waiting for players',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Finished',
  EXPIRED: 'Expired',
}

const seatOf = (slot) => {
  const player = session.players.find((one) => one.slot === slot)
  const item = document.createElement('li')
  const label = document.createElement('span')
  const note = document.createElement('span')
  note.className = 'note'
  if (!player) {
    item.className = 'free'
    label.textContent = 'Free seat'
  } else {
    label.textContent = `Player ${slot}${player.type === 'AGENT' ? ' (agent)' : ''}`
    if (player.id === mine.playerId) {
      const you = document.createElement('b')
      you.textContent = 'you'
      label.append(' ', you)
    }
    note.textContent = player.isWinner
      ? `won ${session.winnerPrize ? points(session.winnerPrize) : ''}`
      : player.score === null
        ? ''
        : number.format(player.score)
    if (player.isWinner) item.className = 'winner'
  }
  item.append(label, note)
  return item
}

const timeLeft = () => {
  const minutes = Math.max(0, Math.round((new Date(session.expiresAt) - Date.now()) / 60_000))
  return minutes < 1 ? 'less than a minute' : `${minutes} min`
}

const veil = (title, text) => {
  find('veil').hidden = !title
  find('veil-title').textContent = title ?? ''
  find('veil-text').textContent = text ?? ''
}

const show = () => {
  find('state').textContent = states[session.status]
  find('state').dataset.state = session.status
  find('pool').textContent = session.entryFee > 0 ? points(session.prizePool) : 'For fun'
  // Of many free seats, only the next ones are shown.
  const shown = Math.min(session.maxPlayers, Math.max(session.currentPlayers + 1, 8))
  find('players').replaceChildren(...Array.from({ length: shown }, (_, i) => seatOf(i + 1)))
  const isOpen = session.status === 'WAITING' || session.status === 'IN_PROGRESS'
  find('more').textContent = isOpen
    ? `Ends by itself in ${timeLeft()}; then everybody gets their points back.`
    : session.status === 'EXPIRED' && session.entryFee > 0
      ? 'Everybody got their points back.'
      : ''
  const missing = session.maxPlayers - session.currentPlayers
  if (session.status === 'WAITING')
    veil(
      'Waiting for players',
      `${session.currentPlayers} of ${session.maxPlayers} seats are taken; ${missing} free.`,
    )
  else if (session.status === 'EXPIRED') veil('This session has expired', 'Its time was over.')
  else if (session.status === 'COMPLETED' && !isStarted)
    veil('This session is finished', 'See who has won beside the game.')
  else veil()
  startGame()
}

const startGame = () => {
  if (!isReady || isStarted) return
  if (mine.sessionId && session?.status !== 'IN_PROGRESS') return
  isStarted = true
  // The frame has no origin to name; the message is meant for the game in it.
  frame.contentWindow.postMessage(
    {
      tessera: 1,
      type: 'start',
      api: location.origin,
      game: { id: gameId, name, slug },
      session: mine.sessionId ? session : null,
      playerId: mine.playerId,
      token: mine.token,
    },
    '*',
  )
}

const read = async (path) => {
  const response = await fetch(path)
  const { data, message } = await response.json()
  if (!response.ok) throw Object.assign(new Error(message), { status: response.status })
  return data
}

const follow = async () => {
  try {
    session = await read(`/v1/arena/games/sessions/${encodeURIComponent(mine.sessionId)}`)
    find('session').hidden = false
    show()
  } catch (error) {
    if (error.status === 404) return veil('There is no such session', 'Ask for a new link.')
  }
  const isOver = session?.status === 'COMPLETED' || session?.status === 'EXPIRED'
  if (!isOver) setTimeout(follow, pollMs)
}

const practise = async () => {
  find('practice').hidden = false
  startGame()
  const open = await read(`/v1/arena/games/${gameId}/sessions/open`).catch(() => [])
  find('open').textContent =
    open.length === 0
      ? 'Nobody is waiting right now.'
      : `${open.length === 1 ? 'One session is' : `${open.length} sessions are`} waiting for players.`
}

window.addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow || data?.tessera !== 1) return
  if (data.type === 'ready') {
    isReady = true
    // Tells the game that there is a page around it, even if it has to wait.
    frame.contentWindow.postMessage({ tessera: 1, type: 'wait' }, '*')
    startGame()
  }
  if (data.type === 'result' && mine.sessionId) {
    session = await read(`/v1/arena/games/sessions/${mine.sessionId}`)
    show()
  }
})

frame.src = main.dataset.build
if (mine.sessionId) follow()
else practise()
