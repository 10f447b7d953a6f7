import { Button, Group, Indicator, Text } from '@mantine/core'
import { numberText } from '../parts/formats.ts'
import { IconPlayerPause, IconPlayerPlay } from '../parts/icons.ts'
import { eventsTexts as texts } from '../texts/events-texts.ts'
import type { useTail } from './use-tail.ts'

/** Shows whether live events are on or paused, and toggles them. */
export const LiveSwitch = ({ of }: { of: ReturnType<typeof useTail> }) => {
  const { isPaused, waiting, toggle } = of
  return (
    <Group gap="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={
          isPaused ? (
            <IconPlayerPlay size={14} aria-hidden />
          ) : (
            <IconPlayerPause size={14} aria-hidden />
          )
        }
        onClick={toggle}
      >
        {isPaused ? texts.resume : texts.pause}
      </Button>
      <Group gap="md" pl="md" aria-live="polite">
        <Indicator
          position="middle-start"
          offset={-12}
          processing={!isPaused}
          color={isPaused ? 'gray' : 'green'}
        >
          <Text size="sm" c="dimmed">
            {isPaused ? texts.paused(numberText(waiting.length)) : texts.liveHint}
          </Text>
        </Indicator>
      </Group>
    </Group>
  )
}
