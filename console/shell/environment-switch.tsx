import { SegmentedControl } from '@mantine/core'
import { useEnvironment } from '../client/viewer.tsx'
import type { Environment } from '../environment.ts'
import { texts } from '../texts/shell-texts.ts'
import { useSwitchEnvironment } from './use-switch-environment.ts'

export const EnvironmentSwitch = () => {
  const environment = useEnvironment()
  const switchTo = useSwitchEnvironment()
  return (
    <SegmentedControl
      size="xs"
      flex="none"
      autoContrast
      aria-label={texts.environment}
      value={environment}
      color={environment === 'LIVE' ? 'ember.7' : 'dark.4'}
      onChange={(next) => switchTo(next as Environment)}
      data={[
        { value: 'TEST', label: texts.test },
        { value: 'LIVE', label: texts.live },
      ]}
    />
  )
}
