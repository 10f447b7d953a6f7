import { SegmentedControl, Stack } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { drawGoal, type GoalPicture } from '../../packages/widgets/src/goal-picture.ts'
import { goalCardTexts as texts } from '../texts/goals-texts.ts'
import { type PictureState, pictureOf, type ShownGoal } from './shown-goal.ts'

/** The card as the widget draws it, in an element that React leaves alone. */
const Picture = ({ of }: { of: GoalPicture }) => {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current) drawGoal(host.current, of)
  })
  return <div ref={host} style={{ maxWidth: 380, containerType: 'inline-size' }} />
}

/** The card that users see, in the state that the member chooses. */
export const GoalCard = ({ of }: { of: ShownGoal }) => {
  const [state, setState] = useState<PictureState>('IN_PROGRESS')
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={texts.state}
        value={state}
        onChange={(value) => setState(value as PictureState)}
        data={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
      />
      <Picture of={pictureOf(of, state)} />
    </Stack>
  )
}
