import { lotteryCheck } from '../generated/lottery-check.ts'
import type {
  LotteryCheckQuery,
  LotteryCostsFragment,
  LotterySetUpFragment,
  UpdateLotteryInput,
} from '../generated/types.ts'
import {
  type Check,
  CheckDialog,
  type CheckFrame,
  endOf,
  type FormChange,
} from '../parts/check-dialog.tsx'
import { exactTimeText, moneyText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import { checkTexts, lotteryCheckTexts as texts } from '../texts/check-texts.ts'

type Found = NonNullable<LotteryCheckQuery['lottery']>
type Costs = LotteryCostsFragment

const Figures = ({ now, then }: { now: Costs | null; then: Costs }) => {
  const line = (label: string, text: (of: Costs) => string) =>
    [label, now && text(now), text(then)] as const
  return (
    <NowAndThen
      of={[
        line(texts.pot, ({ pot }) => moneyText(pot)),
        line(texts.largest, ({ largestPrize }) =>
          largestPrize ? moneyText(largestPrize) : texts.onlyShares,
        ),
        line(texts.expected, ({ expectedPayout }) => moneyText(expectedPayout)),
        line(texts.maxPayout, ({ maxPayout }) =>
          maxPayout ? moneyText(maxPayout) : checkTexts.noLimit,
        ),
      ]}
    />
  )
}

const scheduleOf = (of: Found): Check['schedule'] => [
  [
    texts.nextDraw,
    of.launchCheck.nextDrawAt
      ? exactTimeText(of.launchCheck.nextDrawAt)
      : of.frequency === 'CUSTOM' && texts.byHand,
  ],
  endOf(of),
]

const startOf = (of: Found): Check => ({
  issues: of.launchCheck.issues,
  effects: [texts.open],
  cost: <Figures now={null} then={of.launchCheck} />,
  schedule: scheduleOf(of),
})

const pauseOf = (): Check => ({ effects: [texts.paused] })

const saveOf =
  (changes: FormChange | undefined) =>
  (of: Found): Check => ({
    effects: [texts.fromNow],
    changes,
    cost: <Figures now={of.launchCheck} then={of.changed} />,
    schedule: scheduleOf(of),
  })

/** What starting, pausing or changing a lottery means. */
export const LotteryCheck = (props: {
  of: Pick<LotterySetUpFragment, 'id'>
  frame: CheckFrame
  to: 'start' | 'pause' | 'save'
  rules?: UpdateLotteryInput['rules']
  lines?: FormChange
}) => {
  const { of, frame, to, rules, lines } = props
  const checks = { start: startOf, pause: pauseOf, save: saveOf(lines) }
  return (
    <CheckDialog
      frame={frame}
      operation={lotteryCheck}
      variables={{ id: of.id, ...(rules && { rules }) }}
      checkOf={({ lottery }) => lottery && checks[to](lottery)}
    />
  )
}
