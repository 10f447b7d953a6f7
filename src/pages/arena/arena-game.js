/**
 * The SDK that arena games load: `<script src="https://…/sdk/arena-game.js"></script>`.
 *
 *   ArenaGame.onMove(({ playerId, data }) => { … })        // the moves of all players in one order, including your own
 *   const { session, playerId } = await ArenaGame.join()   // session is null while practising
 *   await ArenaGame.send({ column: 3 })                    // to the screens of all players
 *   await ArenaGame.reportResult({ winnerId, scores: { [id]: 3 }, results: { moves: 12 } })
 *
 * The page around the game hands over the session and its token; the game itself never needs an API key.
 */
;(() => {
  const answerMs = 1_500
  const retryMs = 1_000
  const maxMoveBytes = 4 * 1024
  const own = document.currentScript.src

  const refusal = (code, message, status) => Object.assign(new Error(message), { code, status })
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

  let start = null
  let settle = null

  const tell = (message) => {
    if (window.parent !== window) window.parent.postMessage({ tessera: 1, ...message }, '*')
  }

  const started = new Promise((resolve) => {
    settle = (message) => {
      start ??= message
      resolve(start)
    }
  })

  window.addEventListener('message', ({ source, data }) => {
    if (source === window.parent && data?.tessera === 1 && data.type === 'start') settle(data)
  })

  /** Returns the data of an answer, or throws an Error with `code` and `status`. Retries lost requests, 429 and 5xx. */
  const call = async (path, { body, token } = {}) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { 'x-session-token': token }),
    }
    const options = body && { method: 'POST', body: JSON.stringify(body) }
    for (;;) {
      const response = await fetch(start.api + path, { headers, ...options }).catch(() => null)
      const answer = await response?.json().catch(() => null)
      if (response?.ok && answer) return answer.data
      if (answer && response.status < 500 && response.status !== 429)
        throw refusal(answer.errorCode, answer.message, answer.code)
      await pause(retryMs)
    }
  }

  const sessionPath = () => `/v1/arena/games/sessions/${start.session.id}`

  const listeners = []
  const stateListeners = []
  /** Moves received before the first listener was added. */
  let early = []
  let state = 'connecting'

  const setState = (now) => {
    if (now === state || state === 'over' || state === 'refused') return
    state = now
    for (const listen of stateListeners) listen(state)
  }

  const receive = (move) => {
    const shown = { ...move, isMine: move.playerId === start.playerId }
    if (listeners.length === 0) early.push(shown)
    for (const listen of listeners) listen(shown)
  }

  /** Without a session, moves come back to the screen that sent them. */
  const practise = () => {
    let seq = 0
    return async (data) => {
      const move = { seq: ++seq, playerId: start.playerId, data, sentAt: new Date().toISOString() }
      receive(move)
      return move
    }
  }

  const open = async () => {
    const { api, session, token } = start
    if (!session) {
      setState('online')
      return practise()
    }
    const { openRelay } = await import(new URL('arena-relay.js', own))
    const readStatus = async () => (await call(sessionPath())).status
    return openRelay({ api, session, token, readStatus, receive, setState })
  }

  let relay = null

  window.ArenaGame = {
    /**
     * Tells the page that the game is loaded, and waits until it may begin. Resolves with
     * `{game, session, playerId}`; without a page around it, or without a session, `session` is null.
     */
    async ready() {
      tell({ type: 'ready' })
      const alone = window.parent === window
      const timer = setTimeout(
        () => settle({ game: null, session: null, playerId: null }),
        alone ? 0 : answerMs,
      )
      window.addEventListener('message', ({ source, data }) => {
        if (source === window.parent && data?.tessera === 1) clearTimeout(timer)
      })
      const { game, session, playerId } = await started
      return { game, session, playerId }
    },

    /** Does what `ready` does, and opens the relay. `playerId` is null for a spectator, who cannot send. */
    async join() {
      const given = await this.ready()
      relay ??= open()
      await relay
      return given
    },

    /**
     * Sends a move, any JSON except null, at most 4 KB, to all screens of the session. Resolves with
     * `{seq, playerId, data, sentAt}` once the server has it, also after a lost connection. Rejects with an Error with
     * a `code`. At most 20 moves a second pass; more wait for their turn.
     */
    async send(data) {
      if (!relay) throw refusal('NOT_JOINED', 'Call join first')
      const text = JSON.stringify(data) ?? 'null'
      if (text === 'null') throw refusal('VALIDATION_FAILED', 'A move must not be null')
      if (new TextEncoder().encode(text).length > maxMoveBytes)
        throw refusal('VALIDATION_FAILED', 'A move must be at most 4 KB as JSON')
      return (await relay)(JSON.parse(text))
    },

    /**
     * Calls `listener` with each move of the session, `{seq, playerId, data, sentAt, isMine}`: first those of the past,
     * then new ones. They have the same order on all screens, without gaps, also after a lost connection.
     */
    onMove(listener) {
      listeners.push(listener)
      const missed = early
      early = []
      for (const move of missed) listener(move)
    },

    /**
     * Calls `listener` when the connection changes: `online`, `offline`, `over` when the session has ended, or
     * `refused` for somebody who may not watch it.
     */
    onConnection(listener) {
      stateListeners.push(listener)
      listener(state)
    },

    /**
     * Reports who has won: `{winnerId, scores, results}`, with ids of `session.players`. Resolves with
     * `{sessionId, winnerId, prizePool, developerShare, winnerPrize}`, or null while practising. Safe to
     * repeat: the same result is paid once. Without a connection, it waits.
     */
    async reportResult({ winnerId, scores = {}, results = {} }) {
      const { session, token } = await started
      if (!session) return null
      const body = { winnerId, scores, resultsJson: JSON.stringify(results) }
      const result = await call(`${sessionPath()}/result`, { body, token })
      tell({ type: 'result', result })
      return result
    },
  }
})()
