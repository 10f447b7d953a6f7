/**
 * What a game of the arena loads: `<script src="https://…/sdk/arena-game.js"></script>`.
 *
 *   const { session, playerId } = await ArenaGame.ready()   // session is null while practising
 *   await ArenaGame.reportResult({ winnerId, scores: { [id]: 3 }, results: { moves: 12 } })
 *
 * The page around the game hands over the session and its token; the game itself never needs an API key.
 */
;(() => {
  const answerMs = 1_500
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

  /** What the API says, or an Error with its `code` and `status`. */
  const post = async (path, body, token) => {
    const response = await fetch(start.api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { 'x-session-token': token }) },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (response.ok) return answer.data
    const { message, errorCode: code, code: status } = answer
    throw Object.assign(new Error(message), { code, status })
  }

  window.ArenaGame = {
    /**
     * Tells the page that the game is loaded, and waits until it may begin. Gives
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

    /**
     * Reports who has won: `{winnerId, scores, results}`, with ids of `session.players`. Resolves with
     * `{sessionId, winnerId, prizePool, developerShare, winnerPrize}`, or null while practising. Safe to
     * repeat: the same result is paid once.
     */
    async reportResult({ winnerId, scores = {}, results = {} }) {
      const { session, token } = await started
      if (!session) return null
      const body = { winnerId, scores, resultsJson: JSON.stringify(results) }
      const result = await post(`/v1/arena/games/sessions/${session.id}/result`, body, token)
      tell({ type: 'result', result })
      return result
    },
  }
})()
