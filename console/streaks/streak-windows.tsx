import { Group, ThemeIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import type { StreakRowFragment, StreakWindowStatus } from '../generated/types.ts'
import { utcDateText } from '../parts/formats.ts'
import {
  type Icon,
  IconArrowBackUp,
  IconCheck,
  IconMinus,
  IconPlayerPause,
  IconSnowflake,
  IconX,
} from '../parts/icons.ts'
import { streakLabels as words } from '../texts/streaks-texts.ts'
import type { StreakWindowKind } from './streak-text.ts'

/** How a window looks. The sign tells them apart without colours, too. */
const looks: Record<
  StreakWindowStatus,
  { color: string; variant: 'filled' | 'light' | 'outline'; sign: Icon | null }
> = {
  MET: { color: 'teal.9', variant: 'filled', sign: IconCheck },
  FROZEN: { color: 'blue', variant: 'light', sign: IconSnowflake },
  PAUSED: { color: 'gray', variant: 'light', sign: IconPlayerPause },
  RESTORED: { color: 'grape', variant: 'light', sign: IconArrowBackUp },
  MISSED: { color: 'red', variant: 'light', sign: IconX },
  NOT_REQUIRED: { color: 'gray', variant: 'light', sign: IconMinus },
  OPEN: { color: 'gray', variant: 'outline', sign: null },
}

type Windows = StreakRowFragment['history']

/** What became of the last windows, the present one last. */
export const StreakWindows = ({
  of,
  kind,
}: {
  of: NonNullable<Windows>
  kind: StreakWindowKind
}) => (
  <Group
    component="ol"
    gap={4}
    wrap="nowrap"
    p={0}
    m={0}
    style={{ listStyle: 'none' }}
    aria-label={words.last[kind](of.length)}
  >
    {of.map(({ windowStart, status }) => {
      const { color, variant, sign: Sign } = looks[status]
      const text = `${utcDateText(windowStart)}: ${words.statuses[status]}`
      return (
        <li key={windowStart} style={{ display: 'flex' }}>
          <Tooltip label={text}>
            <ThemeIcon size={22} radius="xl" color={color} variant={variant}>
              {Sign && <Sign size={14} stroke={2.5} aria-hidden />}
              <VisuallyHidden>{text}</VisuallyHidden>
            </ThemeIcon>
          </Tooltip>
        </li>
      )
    })}
  </Group>
)
