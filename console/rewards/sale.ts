/** Whether, when and for how much users can buy a reward. */
import type { RewardRowFragment } from '../generated/types.ts'
import { numberText, timeText } from '../parts/formats.ts'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

type Sale = Pick<RewardRowFragment, 'price' | 'startsAt' | 'endsAt'>

/** `500 points`; null if it is not for sale. */
export const priceText = (price: number | null) =>
  price === null ? null : texts.priceOf(numberText(price))

/** From or until when it is for sale, as far as that matters now; null if it does not. */
export const saleTime = ({ price, startsAt, endsAt }: Sale, now = Date.now()) => {
  if (price === null) return null
  if (startsAt && Date.parse(startsAt) > now) return texts.saleFrom(timeText(startsAt))
  if (!endsAt) return null
  const isOver = Date.parse(endsAt) <= now
  return isOver ? texts.saleOver(timeText(endsAt)) : texts.saleUntil(timeText(endsAt))
}
