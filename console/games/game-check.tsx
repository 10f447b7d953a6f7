import { Text } from '@mantine/core'
import { gameCheck } from '../generated/game-check.ts'
import type { GameCheckQuery, GameEconomyPartsFragment, SetGameInput } from '../generated/types.ts'
import {
  type Check,
  CheckDialog,
  type CheckFrame,
  type FormChange,
} from '../parts/check-dialog.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { NowAndThen } from '../parts/now-and-then.tsx'
import { checkTexts, gameCheckTexts as texts } from '../texts/check-texts.ts'
import { gamesTexts } from '../texts/games-texts.ts'

type Preview = NonNullable<GameCheckQuery['previewGame']>
type Economy = GameEconomyPartsFragment

const pointsText = (points: number) => checkTexts.points(numberText(Math.round(points * 10) / 10))

const largestText = ({ largestWorth, largestWorthRate }: Economy) =>
  largestWorth === 0
    ? texts.none
    : texts.largestOf(numberText(largestWorth), percentText(largestWorthRate))

const Cost = ({ of: { before, after, dailyPlayCount } }: { of: Preview }) => {
  const line = (label: string, text: (of: Economy) => string) =>
    [label, before && text(before), text(after)] as const
  return (
    <>
      <NowAndThen
        of={[
          line(texts.price, ({ price }) => pointsText(price)),
          line(texts.expected, ({ expectedWorth }) => pointsText(expectedWorth)),
          line(texts.largest, largestText),
          ...(dailyPlayCount > 0
            ? [
                line(texts.daily(numberText(dailyPlayCount)), (of) => pointsText(of.dailyWorth)),
                line(texts.dailyPrice, (of) => pointsText(of.dailyPrice)),
              ]
            : []),
        ]}
      />
      {after.unknownWorthLabels.length > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {gamesTexts.notCounted(after.unknownWorthLabels.join(', '))}
        </Text>
      )}
    </>
  )
}

const playsText = ({ dailyPlayCount }: Preview) =>
  dailyPlayCount === 0 ? texts.noPlays : texts.plays(numberText(dailyPlayCount))

const saveOf =
  (changes: FormChange | undefined) =>
  (of: Preview): Check => ({
    issues: of.issues,
    effects: [
      of.before === null ? texts.playable : texts.fromNow,
      of.before !== null && playsText(of),
    ],
    changes,
    cost: <Cost of={of} />,
  })

const activateOf = (of: Preview): Check => ({
  issues: of.issues,
  effects: [texts.playable],
  cost: <Cost of={{ ...of, before: null }} />,
})

const deactivateOf = (of: Preview): Check => ({ effects: [texts.hidden, playsText(of)] })

/** What changing, activating or hiding a game means. */
export const GameCheck = (props: {
  frame: CheckFrame
  game: SetGameInput
  to: 'save' | 'activate' | 'deactivate'
  change?: FormChange
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
