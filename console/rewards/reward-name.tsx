import { Group, Text } from '@mantine/core'
import type { RewardNameFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { type Icon, IconCoins, IconMedal } from '../parts/icons.ts'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

const icons: Record<RewardNameFragment['kind'], Icon> = { POINTS: IconCoins, BADGE: IconMedal }

/** `100 points`, or `Badge`. */
export const worthOf = ({ kind, points }: Pick<RewardNameFragment, 'kind' | 'points'>) =>
  kind === 'POINTS' ? texts.worth(numberText(points ?? 0)) : texts.kinds.BADGE

/** The name of a reward, with a symbol of its kind. */
export const RewardLabel = ({ of }: { of: RewardNameFragment }) => {
  const Sign = icons[of.kind]
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" title={worthOf(of)}>
      <Sign size={16} stroke={1.7} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" component="span">
        {of.name}
      </Text>
    </Group>
  )
}

/** How often a reward can still be given. */
export const leftOf = ({
  stock,
  grantCount,
}: {
  stock: number | null
  grantCount: number | null
}) => (stock === null ? texts.noLimit : numberText(Math.max(0, stock - (grantCount ?? 0))))
