import { lotteryCheck } from '../generated/lottery-check.ts'
import type {
  LotteryCheckQuery,
  LotteryCostsFragment,
  LotterySetUpFragment,
  UpdateLotteryInput,
} from '../generated/types.ts'
import { type Check, CheckDialog, type CheckFrame } from '../parts/check-dialog.tsx'
import { Differences } from '../parts/differences.tsx'
import { Facts } from '../parts/facts.tsx'
import { exactTimeText, moneyText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import type { FormLines } from '../parts/use-versions.ts'
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

const Schedule = ({ of: { frequency, endsAt, launchCheck } }: { of: Found }) => (
  <Facts
    of={[
      [
        texts.nextDraw,
        launchCheck.nextDrawAt
          ? exactTimeText(launchCheck.nextDrawAt)
          : frequency === 'CUSTOM' && texts.byHand,
      ],
      [checkTexts.ends, endsAt ? exactTimeText(endsAt) : checkTexts.untilEnded],
    ]}
  />
)

const startOf = (of: Found): Check => ({
  issues: of.launchCheck.issues,
  effects: [texts.open],
  cost: <Figures now={null} then={of.launchCheck} />,
  schedule: <Schedule of={of} />,
})

const pauseOf = (): Check => ({ effects: [texts.paused] })

const changeOf =
  ({ before, after }: { before: FormLines; after: FormLines }) =>
  (of: Found): Check => ({
    effects: [texts.fromNow],
    changes: (
      <Differences
        left={before}
        leftTitle={checkTexts.before}
        right={after}
        rightTitle={checkTexts.after}
      />
    ),
    cost: <Figures now={of.launchCheck} then={of.changed} />,
    schedule: <Schedule of={of} />,
  })

type CheckProps = { of: Pick<LotterySetUpFragment, 'id'>; frame: CheckFrame }

const LotteryCheck = (
  props: CheckProps & { rules?: UpdateLotteryInput['rules']; checkOf: (found: Found) => Check },
) => (
  <CheckDialog
    frame={props.frame}
    operation={lotteryCheck}
    variables={{ id: props.of.id, ...(props.rules && { rules: props.rules }) }}
    checkOf={({ lottery }) => lottery && props.checkOf(lottery)}
  />
)

/** What starting a lottery means. */
export const LotteryStartCheck = (props: CheckProps) => (
  <LotteryCheck {...props} checkOf={startOf} />
)

/** What pausing a lottery means. */
export const LotteryPauseCheck = (props: CheckProps) => (
  <LotteryCheck {...props} checkOf={pauseOf} />
)

/** What changing the rules of a lottery means. */
export const LotteryChangeCheck = (
  props: CheckProps & {
    rules: UpdateLotteryInput['rules']
    before: FormLines
    after: FormLines
  },
) => <LotteryCheck {...props} checkOf={changeOf(props)} />
