import type { OfferType } from '../generated/types.ts'
import { humanized } from './formats.ts'

const offerTypes: OfferType[] = [
  'WELCOME_BONUS',
  'WELCOME_FREE_PLAY',
  'DAILY_FREE_SPIN',
  'MULTIPLIER_BONUS',
  'RETENTION_PLAY',
  'RETURN_BONUS',
  'WIN_BACK_PLAY',
  'VIP_PLAY',
]

export const offerTypeChoices = offerTypes.map((value) => ({ value, label: humanized(value) }))
