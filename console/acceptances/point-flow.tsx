import { Progress, Stack, Text } from '@mantine/core'
import { numberText } from '../parts/formats.ts'
import { acceptancesTexts as texts } from '../texts/acceptances-texts.ts'

/** How much of a cap is used. */
export const PointFlow = (props: { label: string; used: number; cap: number }) => {
  const { label, used, cap } = props
  const share = cap > 0 ? Math.min(100, (100 * used) / cap) : 100
  return (
    <Stack gap={4} miw={110}>
      <Text size="sm">{texts.usage(numberText(used), numberText(cap))}</Text>
      <Progress
        value={share}
        size="sm"
        color={used >= cap ? 'yellow' : 'ember'}
        aria-label={label}
      />
    </Stack>
  )
}
