/** What the card shows of a reward, as it is or as it is edited, for a user who does not exist. */
import type { RewardPicture } from '../../packages/widgets/src/shop-picture.ts'
import type { RewardRowFragment } from '../generated/types.ts'
import { rewardCardTexts as texts } from '../texts/rewards-texts.ts'
import { canBeSold, type RewardValues } from './reward-form.ts'
import { countLeft } from './reward-name.tsx'

export type ShownReward = Pick<
  RewardRowFragment,
  | 'uuid'
  | 'slug'
  | 'kind'
  | 'name'
  | 'description'
  | 'imageUrl'
  | 'points'
  | 'freePlays'
  | 'price'
  | 'limit'
  | 'startsAt'
  | 'endsAt'
> & {
  /** Null for no limit. */
  left: number | null
}

export const shownRewardOf = (of: RewardRowFragment): ShownReward => ({
  ...of,
  left: countLeft(of),
})

/** The stock of the form: that of codes is not in it. */
const stockOf = ({ kind, stock }: RewardValues, of: RewardRowFragment | undefined) => {
  if (kind === 'CODE') return of?.stock ?? null
  return stock === '' ? null : stock
}

/** The same of a reward as it is edited. `of` is the saved one, if there is one. */
export const shownRewardOfValues = (values: RewardValues, of?: RewardRowFragment): ShownReward => {
  const { kind, freePlays, limit, price, isForSale } = values
  const stock = stockOf(values, of)
  const isPriced = isForSale && price !== '' && canBeSold(values)
  return {
    ...values,
    uuid: of?.uuid ?? kind,
    points: kind === 'POINTS' ? values.points : null,
    freePlays:
      kind === 'FREE_PLAYS'
        ? { ...freePlays, validDays: freePlays.validDays === '' ? null : freePlays.validDays }
        : null,
    price: isPriced ? price : null,
    limit: limit.max === '' ? null : { ...limit, max: limit.max },
    left: countLeft({ stock, grantCount: of?.grantCount ?? 0 }),
  }
}

/** The states that the picture can show. */
export type CardState = keyof typeof texts.states

type Availability = RewardPicture['availability']

const canBuy: Availability = { canBuy: true, reason: null, missingPoints: 0, nextAt: null }

const refused = (reason: Availability['reason'], more: Partial<Availability> = {}) => ({
  ...canBuy,
  canBuy: false,
  reason,
  ...more,
})

/** Whether a user can buy it now. The points that are missing are an example. */
const availabilityOf = (of: ShownReward, state: CardState): Availability => {
  const { price, startsAt, endsAt, left } = of
  const now = Date.now()
  if (left === 0 || state === 'SOLD_OUT') return refused('OUT_OF_STOCK')
  if (startsAt && Date.parse(startsAt) > now) return refused('NOT_STARTED', { nextAt: startsAt })
  if (endsAt && Date.parse(endsAt) <= now) return refused('ENDED')
  if (state === 'AVAILABLE') return canBuy
  return refused('INSUFFICIENT_POINTS', { missingPoints: Math.ceil((price ?? 1) * 0.4) })
}

/** The picture of a reward in a state. The console shows no pictures from other hosts. */
export const pictureOf = (of: ShownReward, state: CardState): RewardPicture => ({
  of: { ...of, name: of.name || texts.noName, imageUrl: null },
  availability: availabilityOf(of, state),
})
