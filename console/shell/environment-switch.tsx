import { SegmentedControl } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEnvironment } from '../client/viewer.tsx'
import { type Environment, segmentOf } from '../environment.ts'
import { texts } from '../texts/shell-texts.ts'

/**
 * Switches between test and live data. A list stays open. The page of an object changes to its list, since the
 * object exists in one environment only.
 */
export const EnvironmentSwitch = () => {
  const environment = useEnvironment()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const page = path.split('/')[2] ?? 'overview'
  return (
    <SegmentedControl
      size="xs"
      autoContrast
      aria-label={texts.environment}
      value={environment}
      color={environment === 'LIVE' ? 'ember.7' : 'dark.4'}
      onChange={(next) => navigate({ to: `/${segmentOf(next as Environment)}/${page}` })}
      data={[
        { value: 'TEST', label: texts.test },
        { value: 'LIVE', label: texts.live },
      ]}
    />
  )
}
