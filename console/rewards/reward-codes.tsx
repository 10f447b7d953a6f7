import { Alert, Progress, Stack, Text } from '@mantine/core'
import type { RewardRowFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { IconAlertTriangle } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { rewardCodesTexts as texts } from '../texts/rewards-texts.ts'
import { AddCodes } from './add-codes.tsx'
import { countLeft, isRunningOut } from './reward-name.tsx'

/** What to do about the number of codes; null if there are enough. */
const warningOf = (of: RewardRowFragment, left: number) => {
  if (!of.stock) return texts.none
  if (left === 0) return texts.allGiven
  return isRunningOut(of) ? texts.few(numberText(left)) : null
}

/** How many codes are left, and the button that adds some. */
export const RewardCodes = ({ of }: { of: RewardRowFragment }) => {
  const left = countLeft(of) ?? 0
  const all = of.stock ?? 0
  const warning = of.archivedAt ? null : warningOf(of, left)
  const usage = texts.usage(numberText(left), numberText(all))
  return (
    <Panel
      title={texts.title}
      hint={texts.hint}
      actions={!of.archivedAt && <AddCodes rewardId={of.id} />}
    >
      <Stack gap="sm">
        {all > 0 && (
          <div>
            <Text size="sm" mb={6}>
              {usage}
            </Text>
            <Progress
              value={(left / all) * 100}
              size="lg"
              radius="xl"
              color={warning ? 'red' : 'teal'}
              aria-label={usage}
            />
          </div>
        )}
        {warning && (
          <Alert
            color={left === 0 ? 'red' : 'yellow'}
            icon={<IconAlertTriangle aria-hidden />}
            role="status"
          >
            {warning}
          </Alert>
        )}
      </Stack>
    </Panel>
  )
}
