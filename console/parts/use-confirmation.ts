import { useState } from 'react'
import { useEnvironment } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import type { CheckFrame } from './check-dialog.tsx'

/** A change that the member looked at and did not make. */
export class NotConfirmed extends Error {}

type Question = { answer: () => void; refuse: (reason: NotConfirmed) => void }

/** Asks before a change in LIVE, in the middle of saving it. In TEST, nothing is asked. */
export const useConfirmation = () => {
  const [question, setQuestion] = useState<Question | null>(null)
  const isLive = useEnvironment() === 'LIVE'
  const confirm = async () => question?.answer()
  const close = () => {
    // Without effect once it was confirmed.
    question?.refuse(new NotConfirmed())
    setQuestion(null)
  }
  return {
    isOpen: question !== null,
    /** @throws NotConfirmed when the dialog is closed */
    ask: async (isNeeded: boolean): Promise<void> => {
      if (!isLive || !isNeeded) return
      await new Promise<void>((answer, refuse) => setQuestion({ answer, refuse }))
    },
    /** The frame of the check, by the name of the object. */
    frameOf: (name: string): CheckFrame => ({
      title: `${texts.save} ${texts.quoted(name)}`,
      confirmLabel: texts.inLive(texts.save),
      act: confirm,
      onClose: close,
    }),
  }
}
