import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { drawReward, type RewardPicture } from '../../packages/widgets/src/shop-picture.ts'
import { Panel } from '../parts/panel.tsx'
import { rewardCardTexts as texts } from '../texts/rewards-texts.ts'
import { type CardState, pictureOf, type ShownReward } from './shown-reward.ts'

/** The card as the widget draws it, in an element that React leaves alone. */
const Picture = ({ of }: { of: RewardPicture }) => {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current) drawReward(host.current, of)
  })
  return <div ref={host} style={{ maxWidth: 340, containerType: 'inline-size' }} />
}

/** The host of an address, as far as it is typed. */
const hostOf = (address: string | null) =>
  address && URL.canParse(address) ? new URL(address).hostname : null

/** The card that users see, in the state that the member chooses. */
export const RewardCard = ({ of }: { of: ShownReward }) => {
  const [state, setState] = useState<CardState>('AVAILABLE')
  const host = hostOf(of.imageUrl)
  return (
    <Panel title={texts.title} hint={of.price === null ? texts.notForSale : texts.hint}>
      <Stack gap="sm">
        {of.price !== null && (
          <SegmentedControl
            size="xs"
            aria-label={texts.state}
            value={state}
            onChange={(value) => setState(value as CardState)}
            data={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
          />
        )}
        <Picture of={pictureOf(of, state)} />
        {host && (
          <Text size="sm" c="dimmed">
            {texts.picture(host)}
          </Text>
        )}
      </Stack>
    </Panel>
  )
}
