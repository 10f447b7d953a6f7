import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { makeChange } from '../client/change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { addRewardCodes } from '../generated/reward.ts'
import { type ListedCode, partsOf } from './code-list.ts'

export type Upload = {
  /** The number of codes of the list. */
  all: number
  sent: number
  added: number
  /** Those that were there already, or are twice in the list. */
  duplicates: ListedCode[]
  /** What has not been sent. */
  rest: ListedCode[]
  isRunning: boolean
  /** Why it was interrupted; null if it was not. */
  error: Error | null
}

/** Adds a list of codes to a reward, a request after the other, and says how far it is. */
export const useCodeUpload = (rewardId: string) => {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [upload, setUpload] = useState<Upload | null>(null)

  const run = async (from: Upload) => {
    let now: Upload = { ...from, isRunning: true, error: null }
    setUpload(now)
    try {
      for (const part of partsOf(now.rest)) {
        const codes = part.map(({ code }) => code)
        const input = { reward: { id: rewardId }, codes }
        const { addedCount, duplicateIndexes } = await makeChange(
          addRewardCodes,
          { input },
          environment,
        )
        now = {
          ...now,
          sent: now.sent + part.length,
          added: now.added + addedCount,
          duplicates: [...now.duplicates, ...duplicateIndexes.flatMap((n) => part[n] ?? [])],
          rest: now.rest.slice(part.length),
        }
        setUpload(now)
      }
    } catch (cause) {
      now = { ...now, error: cause as Error }
    }
    await queries.invalidateQueries()
    setUpload({ ...now, isRunning: false })
  }

  return {
    upload,
    start: (codes: ListedCode[]) =>
      run({
        ...{ all: codes.length, sent: 0, added: 0, duplicates: [], rest: codes },
        ...{ isRunning: true, error: null },
      }),
    /** Sends what has not been sent. */
    resume: () => (upload ? run(upload) : undefined),
    forget: () => setUpload(null),
  }
}
