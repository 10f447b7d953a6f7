/**
 * The one stream of a session, by which all of its widgets follow the user. It is loaded once a widget shows something. It goes
 * on after a broken connection, and ends when no widget is left, or the page was hidden for a while.
 */
import { byEvents } from '../../client/src/by-events.ts'
import { Fault } from '../../client/src/fault.ts'
import { reach } from '../../client/src/request.ts'
import { resumed } from '../../client/src/resume.ts'
import type { Session } from './session.ts'
import { followed, userSubscription } from './user-documents.ts'
import type { Part, UserState } from './user-state.ts'

/** Widgets that appear within this time have one stream from the beginning. */
const settleMs = 300
/** A page that is hidden for longer has no stream. */
const hiddenMs = 60_000
/** The state is sent once a minute: without any for this long, the computer has slept. */
const asleepMs = 75_000
/** What works sends a state within this time. */
const firstStateMs = 15_000
/** A stream that was refused is tried again after this time at the earliest, when the page is shown again. */
const refusedMs = 60_000

export type UserStream = {
  /** Opens, changes or closes the stream, by what widgets follow now. */
  change(): void
  /** Opens it again, with other credentials. */
  restart(): void
  /** Whether states come, or may come: it was neither refused, nor silent for long. */
  readonly works: boolean
}

const variablesOf = (externalId: string, parts: ReadonlySet<Part>) => ({
  externalId,
  ...Object.fromEntries(
    (Object.keys(followed) as Part[]).flatMap((part) => [
      [part, parts.has(part)],
      [`${part}Count`, parts.has(part) ? followed[part] : 1],
    ]),
  ),
})

const isAboutToken = (error: unknown): boolean =>
  error instanceof Fault && /^(INVALID|MISSING)_USER_TOKEN$/.test(error.code)

export const createUserStream = (session: Session): UserStream => {
  let open: { parts: ReadonlySet<Part>; stopping: AbortController } | undefined
  let works = true
  let settling: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let isAway = false
  let stateAt = 0
  let refusedAt = 0

  const stop = () => {
    open?.stopping.abort()
    open = undefined
    session.isLive = false
  }

  const read = async (parts: ReadonlySet<Part>, signal: AbortSignal) => {
    const late = setTimeout(() => {
      works = false
    }, firstStateMs)
    signal.addEventListener('abort', () => clearTimeout(late))
    const variables = variablesOf(await session.userId(), parts)
    let token: string | undefined
    const connect = byEvents(session.baseUrl, userSubscription, async (request) => {
      token = await session.token()
      const sent = new Request(request, { credentials: 'omit' })
      if (session.apiKey) sent.headers.set('x-api-key', session.apiKey)
      if (token !== undefined) sent.headers.set('x-user-token', token)
      return reach((...args) => fetch(...args), sent)
    })
    const onConnection = (isConnected: boolean) => {
      if (!isConnected && !signal.aborted) session.isLive = false
    }
    type Data = { change: { user: UserState | null } }
    // A token is refused instead of the stream, or by its first message.
    for (let isRenewed = false; !signal.aborted; isRenewed = true)
      try {
        // A server that stops completes the stream: it goes on with another one.
        const options = { signal, onConnection, resume: () => ({}) }
        for await (const { change } of resumed<Data>(connect, variables, options)) {
          if (signal.aborted) return
          clearTimeout(late)
          isRenewed = false
          works = true
          stateAt = Date.now()
          session.take(change.user)
        }
        return
      } catch (error) {
        if (isRenewed || !isAboutToken(error) || !(await session.renewToken(token))) throw error
      }
  }

  const start = (parts: ReadonlySet<Part>) => {
    const stopping = new AbortController()
    const { signal } = stopping
    open = { parts, stopping }
    read(parts, signal).catch(() => {
      if (signal.aborted) return
      works = false
      refusedAt = Date.now()
      stop()
    })
  }

  const settle = () => {
    settling = undefined
    const parts = isAway || !session.hasToken ? null : session.followedParts
    if (!parts) return stop()
    if (open && [...parts].every((part) => open?.parts.has(part))) return
    stop()
    start(parts)
  }

  const change = () => {
    clearTimeout(settling)
    settling = setTimeout(settle, settleMs)
  }

  const leave = () => {
    isAway = true
    settle()
  }

  const look = () => {
    clearTimeout(hiding)
    if (document.hidden) {
      hiding = setTimeout(leave, hiddenMs)
      return
    }
    isAway = false
    if (open && Date.now() - stateAt > asleepMs && stateAt > 0) stop()
    if (!open && Date.now() - refusedAt > refusedMs) settle()
  }

  document.addEventListener('visibilitychange', look)
  // A page with an open stream is not kept for the way back.
  addEventListener('pagehide', leave)
  addEventListener('pageshow', look)

  return {
    change,
    restart: () => {
      stop()
      works = true
      change()
    },
    get works() {
      return works
    },
  }
}
