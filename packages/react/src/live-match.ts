import {
  applyEvent,
  isTesseraError,
  type MatchEvent,
  type MatchState,
  type TesseraError,
} from '@tessera/client'
import { useEffect, useMemo, useState } from 'react'
import { useShared } from './provider.ts'

type State = MatchState<MatchEvent['match']>
type Position = NonNullable<State['current']>

/** The current state of a match. */
export type LiveMatch = {
  /** The match with its agents and its score; undefined before the first event. */
  match: MatchEvent['match'] | undefined
  /** The number of the current game, from 1. */
  roundNumber: number | undefined
  /** Rows of cells: `1` or `2` for the side that holds a cell, an empty string for an empty one. */
  board: Position['board']
  /** The sides that move next: 1, 2, both or none. */
  turn: Position['turn']
  /** The moves of the game so far. */
  moves: Position['moves']
  /** The last event. */
  event: MatchEvent | undefined
  isConnected: boolean
  isOver: boolean
  /** Why there is no match, such as `MATCH_NOT_FOUND`. */
  error: TesseraError | undefined
}

type Watched = Pick<LiveMatch, 'event' | 'isConnected' | 'error'> & { state: State | null }

const nothingYet: Watched = {
  state: null,
  event: undefined,
  isConnected: false,
  error: undefined,
}

const follow = (before: Watched, event: MatchEvent): Watched => {
  const state = applyEvent(before.state, event)
  return state === 'gap' ? before : { ...before, state, event }
}

const liveMatchOf = ({ state, event, ...connection }: Watched): LiveMatch => {
  const { roundNumber, board = [], turn = [], moves = [] } = state?.current ?? {}
  const isOver = state?.match.status === 'COMPLETED' || state?.match.status === 'CANCELLED'
  // No event reports how many watch, but each has the match at the time that it is sent.
  const match = state && event && { ...state.match, spectatorCount: event.match.spectatorCount }
  return {
    match: match ?? undefined,
    roundNumber,
    board,
    turn: isOver ? [] : turn,
    moves,
    event,
    isOver,
    ...connection,
  }
}

/**
 * Follows a match live. Resumes after a broken connection.
 * @param matchId undefined follows no match
 */
export const useLiveMatch = (matchId: string | undefined): LiveMatch => {
  const { client } = useShared()
  const [watched, setWatched] = useState(nothingYet)
  useEffect(() => {
    setWatched(nothingYet)
    if (matchId === undefined) return
    const stopping = new AbortController()
    const { signal } = stopping
    const change = (make: (before: Watched) => Watched) => {
      if (!signal.aborted) setWatched(make)
    }
    const watch = async () => {
      const onConnection = (isConnected: boolean) =>
        change((before) => ({ ...before, isConnected }))
      try {
        for await (const event of client.watchMatch(matchId, { signal, onConnection }))
          change((before) => follow(before, event))
      } catch (error) {
        if (!isTesseraError(error)) throw error
        change((before) => ({ ...before, error }))
      }
      change((before) => ({ ...before, isConnected: false }))
    }
    void watch()
    return () => stopping.abort()
  }, [client, matchId])
  return useMemo(() => liveMatchOf(watched), [watched])
}
