import { timeZoneTexts } from '../texts/period-texts.ts'

/** Whether a time was changed to one that is over. `first` is what it was before. */
export const isPast = (at: string | null | undefined, first?: string | null): boolean =>
  Boolean(at) && at !== first && Date.parse(at as string) <= Date.now()

/** The fault of a field for an end or a draw, which must be ahead. */
export const faultOfPast = (at: string | null | undefined, first?: string | null): string | null =>
  isPast(at, first) ? timeZoneTexts.past : null
