import { Group, Text, ThemeIcon } from '@mantine/core'
import type { RewardNameFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import {
  IconCoins,
  IconDeviceGamepad2,
  IconMedal,
  IconPackage,
  IconTicket,
} from '../parts/icons.ts'
import { gameNames } from '../texts/games-texts.ts'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

type Kind = Pick<RewardNameFragment, 'kind'>

/** The symbol and the color of each kind. */
const looks = {
  POINTS: { icon: IconCoins, color: 'yellow' },
  BADGE: { icon: IconMedal, color: 'grape' },
  ITEM: { icon: IconPackage, color: 'ember' },
  CODE: { icon: IconTicket, color: 'teal' },
  FREE_PLAYS: { icon: IconDeviceGamepad2, color: 'blue' },
} as const

/** `100 points`, `5 plays of Neon Wheel`, or `Badge`. */
export const worthOf = (of: Kind & Pick<RewardNameFragment, 'points' | 'freePlays'>) => {
  const { kind, points, freePlays } = of
  if (kind === 'POINTS') return texts.worth(numberText(points ?? 0))
  return freePlays
    ? texts.plays(numberText(freePlays.count), gameNames[freePlays.gameType])
    : texts.kinds[kind]
}

type Stocked = { stock: number | null; grantCount: number | null }

/** How often a reward can still be given; null for no limit. */
export const countLeft = ({ stock, grantCount }: Stocked) =>
  stock === null ? null : Math.max(0, stock - (grantCount ?? 0))

/** How often a reward can still be given. */
export const leftOf = (of: Stocked) => {
  const left = countLeft(of)
  return left === null ? texts.noLimit : numberText(left)
}

/** `12 left in stock`, or that there is no limit. */
export const leftText = (of: Stocked) =>
  countLeft(of) === null ? texts.noLimit : texts.leftInStock(leftOf(of))

/** Whether a stock is about to be used up: fewer than 10, or than a tenth, are left. */
export const isRunningOut = (of: Stocked) => {
  const left = countLeft(of)
  return left !== null && (left < 10 || left * 10 < (of.stock ?? 0))
}

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
