import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLive } from '../client/live.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { events, eventTail } from '../generated/events.ts'
import type { EventRowFragment } from '../generated/types.ts'

/** The number of live events that a page keeps. Older ones are in the list. */
const maxKept = 200

const keep = (events: readonly EventRowFragment[]) => events.slice(0, maxKept)

/** New events as they happen, newest first. While paused, they are queued. */
export const useTail = (types: string[]) => {
  const [isPaused, setIsPaused] = useState(false)
  const [shown, setShown] = useState<readonly EventRowFragment[]>([])
  const [waiting, setWaiting] = useState<readonly EventRowFragment[]>([])
  useLive(eventTail, types.length > 0 ? { names: types } : {}, ({ eventPublished }) => {
    const add = isPaused ? setWaiting : setShown
    add((before) => keep([eventPublished, ...before]))
  })
  const queries = useQueryClient()
  const environment = useEnvironment()
  // The next list must include the events that were only live until now.
  useEffect(
    () => () => void queries.invalidateQueries({ queryKey: [environment, events.name] }),
    [queries, environment],
  )
  const toggle = () => {
    setIsPaused(!isPaused)
    setShown((before) => keep([...waiting, ...before]))
    setWaiting([])
  }
  return { shown, waiting, isPaused, toggle }
}
