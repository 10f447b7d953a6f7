import { Group, Text, ThemeIcon } from '@mantine/core'
import type { RewardNameFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { IconCoins, IconMedal } from '../parts/icons.ts'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

type Kind = Pick<RewardNameFragment, 'kind'>

const looks = {
  POINTS: { icon: IconCoins, color: 'yellow' },
  BADGE: { icon: IconMedal, color: 'grape' },
} as const

/** `100 points`, or `Badge`. */
export const worthOf = ({ kind, points }: Kind & { points: number | null }) =>
  kind === 'POINTS' ? texts.worth(numberText(points ?? 0)) : texts.kinds.BADGE

/** How often a reward can still be given. */
export const leftOf = (of: { stock: number | null; grantCount: number | null }) =>
  of.stock === null ? texts.noLimit : numberText(Math.max(0, of.stock - (of.grantCount ?? 0)))

/** The symbol of what a reward gives. */
export const RewardSymbol = ({ of: { kind }, size = 24 }: { of: Kind; size?: number }) => {
  const { icon: Icon, color } = looks[kind]
  return (
    <ThemeIcon component="span" variant="light" radius="xl" size={size} color={color}>
      <Icon size={size * 0.66} stroke={1.7} aria-hidden />
    </ThemeIcon>
  )
}

/** The name of a reward, with a symbol of its kind. */
export const RewardLabel = ({ of }: { of: RewardNameFragment }) => (
  <Group
    gap={8}
    wrap="nowrap"
    component="span"
    display="inline-flex"
    style={{ verticalAlign: 'middle' }}
    title={worthOf(of)}
  >
    <RewardSymbol of={of} />
    <Text size="sm" component="span" fw="inherit">
      {of.name}
    </Text>
  </Group>
)
