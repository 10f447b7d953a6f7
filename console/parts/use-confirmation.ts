import { useState } from 'react'
import { useEnvironment } from '../client/viewer.tsx'

/** A change that the member looked at and did not make. */
export class NotConfirmed extends Error {}

type Question = { answer: () => void; refuse: (reason: NotConfirmed) => void }

/** Asks before a change in LIVE, in the middle of saving it. In TEST, nothing is asked. */
export const useConfirmation = () => {
  const [question, setQuestion] = useState<Question | null>(null)
  const isLive = useEnvironment() === 'LIVE'
  return {
    isOpen: question !== null,
    /** @throws NotConfirmed when the dialog is closed */
    ask: async (isNeeded: boolean): Promise<void> => {
      if (!isLive || !isNeeded) return
      await new Promise<void>((answer, refuse) => setQuestion({ answer, refuse }))
    },
    confirm: async () => question?.answer(),
    close: () => {
      // Without effect once it was confirmed.
      question?.refuse(new NotConfirmed())
      setQuestion(null)
    },
  }
}
