/** The relay of a session: what `join` of the arena SDK loads. */
const retryMs = 1_000
const longestRetryMs = 5_000
/** The connection counts as broken if nothing arrives for this long after a ping. */
const silenceMs = 5_000
const pingMs = 2_000
const movesPerCall = 20
const maxWaiting = 200

export const refusal = (code, message, status) =>
  Object.assign(new Error(message), { code, status })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * A WebSocket of the protocol graphql-transport-ws that reconnects with backoff. Operations are then sent again, with
 * their current variables, until they complete. Returns the function that sends one.
 */
const openLine = (url, onState) => {
  const operations = new Map()
  let socket = null
  let isOpen = false
  let failures = 0
  let selectionsAt = 0
  let timer = null
  let count = 0

  const post = (message) => socket.send(JSON.stringify(message))
  const begin = (operation, id) => {
    const { query, variables } = operation
    post({ id, type: 'subscribe', payload: { query, variables: variables() } })
  }

  const hear = ({ id, type, payload }) => {
    selectionsAt = 0
    if (type === 'ping') post({ type: 'pong' })
    if (type === 'connection_ack') {
      isOpen = true
      failures = 0
      onState('online')
      operations.forEach(begin)
    }
    const operation = operations.get(id)
    if (type === 'next') operation?.next(payload)
    if (type !== 'complete' && type !== 'error') return
    operations.delete(id)
    if (type === 'error') operation?.next({ errors: payload })
    operation?.complete()
  }

  const connect = () => {
    clearTimeout(timer)
    const opened = new WebSocket(url, 'graphql-transport-ws')
    socket = opened
    selectionsAt = Date.now()
    opened.onopen = () => opened.send('{"type":"connection_init"}')
    opened.onmessage = ({ data }) => opened === socket && hear(JSON.parse(data))
    opened.onclose = () => opened === socket && reconnect()
  }

  /** Replaces the socket, because it does not notice that its network is gone. */
  const reconnect = () => {
    const left = socket
    socket = null
    left?.close()
    isOpen = false
    onState('offline')
    clearTimeout(timer)
    const wait = Math.min(longestRetryMs, 250 * 2 ** failures++)
    timer = setTimeout(connect, wait * (0.5 + Math.random() / 2))
  }

  setInterval(() => {
    if (socket && selectionsAt && Date.now() - selectionsAt > silenceMs) return reconnect()
    if (!isOpen || selectionsAt) return
    selectionsAt = Date.now()
    post({ type: 'ping' })
  }, pingMs)
  window.addEventListener('offline', () => socket && reconnect())
  window.addEventListener('online', () => !socket && connect())
  connect()

  return (operation) => {
    const id = String(++count)
    operations.set(id, operation)
    if (isOpen) begin(operation, id)
  }
}

const moveFields = 'seq playerId: playerUuid data sentAt'
const watching = `subscription ($sessionId: ID!, $afterSeq: Int, $token: String) {
  arenaSessionMoves(arenaSessionId: $sessionId, afterSeq: $afterSeq, token: $token) { ${moveFields} }
}`
const sending = `mutation ($input: SendArenaSessionMovesInput!) {
  sendArenaSessionMoves(input: $input) {
    ... on SendArenaSessionMovesPayload { moves { ${moveFields} } }
    ... on Error { code message }
  }
}`
const passingCodes = ['RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE', 'INTERNAL']
const codeOf = (error) => error?.extensions?.code ?? 'INTERNAL'

/** Follows the moves of the session from a sequence number on until it ends. */
const follow = (line, seat, after = 0) => {
  const { session, token, readStatus, receive, setState } = seat
  let last = after
  let failed = null
  line({
    query: watching,
    variables: () => ({ sessionId: session.id, afterSeq: last, token }),
    next: ({ data, errors }) => {
      failed = errors?.[0] ?? null
      if (failed || data.arenaSessionMoves.seq <= last) return
      last = data.arenaSessionMoves.seq
      receive(data.arenaSessionMoves)
    },
    complete: async () => {
      if (failed && !passingCodes.includes(codeOf(failed))) return setState('refused')
      // A stream also ends when its server stops or is overloaded.
      const status = failed ? null : await readStatus()
      if (status === 'COMPLETED' || status === 'EXPIRED') return setState('over')
      await pause(retryMs)
      follow(line, seat, last)
    },
  })
}

/** One call of `sendArenaSessionMoves`: the accepted moves, or the code and message of an error. */
const sendMoves = (line, { session, token }, moves) =>
  new Promise((resolve) => {
    const input = {
      arenaSessionId: session.id,
      token,
      moves: moves.map(({ data, reference }) => ({ data, reference })),
    }
    let answer = { code: 'INTERNAL' }
    line({
      query: sending,
      variables: () => ({ input }),
      next: ({ data, errors }) => {
        const error = errors?.[0]
        answer = error
          ? { code: codeOf(error), message: error.message }
          : data.sendArenaSessionMoves
      },
      complete: () => resolve(answer),
    })
  })

/** Sends moves in order and in batches, one call at a time. */
const createSender = (line, seat) => {
  const pageId = Array.from(crypto.getRandomValues(new Uint32Array(3)), String).join('-')
  const waiting = []
  let count = 0
  let isBusy = false

  const pump = async () => {
    isBusy = true
    let most = movesPerCall
    while (waiting.length > 0) {
      const sent = waiting.slice(0, most)
      const { moves, code, message } = await sendMoves(line, seat, sent)
      if (passingCodes.includes(code)) await pause(retryMs)
      // One move is invalid. Sends them one by one, so that the others do not fail with it.
      else if (code === 'VALIDATION_FAILED' && sent.length > 1) most = 1
      else
        waiting.splice(0, sent.length).forEach(({ resolve, reject }, n) => {
          if (moves) resolve(moves[n])
          else reject(refusal(code, message))
        })
    }
    isBusy = false
  }

  return (data) => {
    if (waiting.length >= maxWaiting)
      throw refusal('TOO_MANY_MOVES', `${maxWaiting} moves are waiting to be sent`)
    // Makes retries idempotent.
    const reference = `${pageId}-${++count}`
    return new Promise((resolve, reject) => {
      waiting.push({ data, reference, resolve, reject })
      if (!isBusy) pump()
    })
  }
}

/**
 * Opens the relay of a session. `receive` gets each move once, in order. Returns the function that sends a move and
 * resolves with it once the server has it.
 */
export const openRelay = (seat) => {
  const line = openLine(`${seat.api.replace(/^http/, 'ws')}/graphql`, seat.setState)
  follow(line, seat)
  return createSender(line, seat)
}
