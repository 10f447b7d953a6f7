/** The texts that the program of the draw page shows. The page passes them to it in its language. */
import type { PageTexts } from './texts/en.ts'

const keys = [
  ...(['noPrize', 'inList', 'notInList', 'yours', 'notYours', 'noTicket'] as const),
  ...(['seedPromised', 'seedNotPromised', 'numbersFollow', 'numbersDoNot'] as const),
  ...(['wrong', 'ticketCancelled', 'takesPart', 'hasWon', 'hasNotWon'] as const),
  ...(['noAnswer', 'outdated', 'cannotCheck'] as const),
] satisfies (keyof PageTexts)[]

type Keys = (typeof keys)[number]

/** With the language tag, for numbers. */
export type CheckTexts = Pick<PageTexts, Keys> & { tag: string }

export const checkTexts = (texts: PageTexts): Pick<PageTexts, Keys> =>
  Object.fromEntries(keys.map((key) => [key, texts[key]])) as Pick<PageTexts, Keys>
