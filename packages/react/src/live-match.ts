import { isTesseraError, type MatchEvent, type TesseraError } from '@tessera/client'
import { useEffect, useState } from 'react'
import { useShared } from './provider.ts'

type Position = Extract<MatchEvent, { __typename: 'ArenaMatchMovesMade' }>

/** The current state of a match. */
export type LiveMatch = {
  /** The match with its agents and its score; undefined before the first event. */
  match: MatchEvent['match'] | undefined
  /** The number of the current game, from 1. */
  gameNumber: number | undefined
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

const nothingYet: LiveMatch = {
  match: undefined,
  gameNumber: undefined,
  board: [],
  turn: [],
  moves: [],
  event: undefined,
  isConnected: false,
  isOver: false,
  error: undefined,
}

/** A match after an event. */
const follow = (before: LiveMatch, event: MatchEvent): LiveMatch => {
  const now = { ...before, event, match: event.match }
  switch (event.__typename) {
    case 'ArenaMatchSnapshot': {
      const { gameNumber, board = [], turn = [], moves = [] } = event.currentGame ?? {}
      const { status } = event.match
      return {
        ...now,
        gameNumber,
        board,
        turn,
        moves,
        isOver: status === 'COMPLETED' || status === 'CANCELLED',
      }
    }
    case 'ArenaMatchGameStarted': {
      const { gameNumber, board, turn } = event
      return { ...now, gameNumber, board, turn, moves: [] }
    }
    case 'ArenaMatchMovesMade': {
      const { gameNumber, board, turn } = event
      return { ...now, gameNumber, board, turn, moves: [...before.moves, ...event.moves] }
    }
    case 'ArenaMatchCompleted':
    case 'ArenaMatchCancelled':
      return { ...now, turn: [], isOver: true }
    default:
      return now
  }
}

/**
 * Follows a match live. Resumes after a broken connection.
 * @param matchId undefined follows no match
 */
export const useLiveMatch = (matchId: string | undefined): LiveMatch => {
  const { client } = useShared()
  const [state, setState] = useState(nothingYet)
  useEffect(() => {
    setState(nothingYet)
    if (matchId === undefined) return
    const stopping = new AbortController()
    const { signal } = stopping
    const change = (make: (before: LiveMatch) => LiveMatch) => {
      if (!signal.aborted) setState(make)
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
  return state
}
