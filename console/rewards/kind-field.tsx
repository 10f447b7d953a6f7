import { Group, Radio, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RewardKind } from '../generated/types.ts'
import { rewardFormTexts as texts } from '../texts/rewards-texts.ts'
import classes from './kind-field.module.css'
import { RewardSymbol } from './reward-name.tsx'

const kinds = Object.keys(texts.kinds) as RewardKind[]

/** The choice of what a new reward gives. Takes the props of `form.getInputProps`. */
export const KindField = (props: {
  value?: RewardKind
  onChange?: (value: RewardKind) => void
  error?: ReactNode
}) => {
  const { value, onChange, error } = props
  return (
    <Radio.Group
      label={texts.kind}
      value={value ?? null}
      onChange={(chosen) => onChange?.(chosen as RewardKind)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
        {kinds.map((kind) => (
          <Radio.Card
            key={kind}
            value={kind}
            p="sm"
            className={classes['kind'] ?? ''}
            aria-label={texts.kinds[kind].label}
            aria-description={texts.kinds[kind].hint}
          >
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <RewardSymbol of={{ kind }} size={32} />
              <div>
                <Text size="sm" fw={600}>
                  {texts.kinds[kind].label}
                </Text>
                <Text size="xs" c="dimmed">
                  {texts.kinds[kind].hint}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
