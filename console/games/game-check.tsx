import { gameCheck } from '../generated/game-check.ts'
import type { GameCheckQuery, GameEconomyPartsFragment, SetGameInput } from '../generated/types.ts'
import { type Check, CheckDialog, type CheckFrame } from '../parts/check-dialog.tsx'
import { Differences } from '../parts/differences.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import type { FormLines } from '../parts/use-versions.ts'
import { checkTexts, gameCheckTexts as texts } from '../texts/check-texts.ts'

type Preview = NonNullable<GameCheckQuery['previewGame']>
type Economy = GameEconomyPartsFragment

const pointsText = (points: number) => checkTexts.points(numberText(Math.round(points * 10) / 10))

const largestText = ({ largestPayout, largestPayoutRate }: Economy) =>
  largestPayout === 0
    ? texts.none
    : texts.largestOf(numberText(largestPayout), percentText(largestPayoutRate))

const Figures = ({ of: { before, after, dailyPlayCount } }: { of: Preview }) => {
  const line = (label: string, text: (of: Economy) => string) =>
    [label, before && text(before), text(after)] as const
  return (
    <NowAndThen
      of={[
        line(texts.price, ({ price }) => pointsText(price)),
        line(texts.expected, ({ expectedPayout }) => pointsText(expectedPayout)),
        line(texts.largest, largestText),
        ...(dailyPlayCount > 0
          ? [
              line(texts.daily(numberText(dailyPlayCount)), (of) => pointsText(of.dailyPayout)),
              line(texts.dailyPrice, (of) => pointsText(of.dailyPrice)),
            ]
          : []),
      ]}
    />
  )
}

const playsText = ({ dailyPlayCount }: Preview) =>
  dailyPlayCount === 0 ? texts.noPlays : texts.plays(numberText(dailyPlayCount))

/** Changes to a game, as lines of its form. */
export type GameChange = { before: FormLines; after: FormLines }

const saveOf =
  (change: GameChange | undefined) =>
  (of: Preview): Check => ({
    issues: of.issues,
    effects: [
      of.before === null ? texts.playable : texts.fromNow,
      of.before !== null && playsText(of),
    ],
    ...(change && {
      changes: (
        <Differences
          left={change.before}
          leftTitle={checkTexts.before}
          right={change.after}
          rightTitle={checkTexts.after}
        />
      ),
    }),
    cost: <Figures of={of} />,
  })

const activateOf = (of: Preview): Check => ({
  issues: of.issues,
  effects: [texts.playable],
  cost: <Figures of={{ ...of, before: null }} />,
})

const deactivateOf = (of: Preview): Check => ({ effects: [texts.hidden, playsText(of)] })

/** What changing, activating or hiding a game means. */
export const GameCheck = (props: {
  frame: CheckFrame
  game: SetGameInput
  to: 'save' | 'activate' | 'deactivate'
  change?: GameChange
}) => {
  const { frame, to, change } = props
  const { expectedVersion: _, ...game } = props.game
  const checks = { save: saveOf(change), activate: activateOf, deactivate: deactivateOf }
  return (
    <CheckDialog
      frame={frame}
      operation={gameCheck}
      variables={{ game }}
      checkOf={({ previewGame }) => previewGame && checks[to](previewGame)}
    />
  )
}
