import type { SelectProps } from '@mantine/core'
import { rewardChoices } from '../generated/rewards.ts'
import { type Choice, FoundSelect } from '../parts/found-select.tsx'
import { worthOf } from './reward-name.tsx'

type RewardSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value?: Choice | null
  onChange?: (reward: Choice | null) => void
}

/** Chooses a reward that is not archived. The value has its id and its name. */
export const RewardSelect = ({ value, onChange, ...props }: RewardSelectProps) => (
  <FoundSelect
    operation={rewardChoices}
    choicesOf={({ rewards }) =>
      rewards.nodes.map((node) => ({ value: node.id, label: node.name, hint: worthOf(node) }))
    }
    known={value ?? undefined}
    value={value?.value ?? null}
    onChange={(_, option) => onChange?.(option && { value: option.value, label: option.label })}
    {...props}
  />
)
