import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type Environment, segmentOf } from '../environment.ts'

/**
 * Switches between test and live data. A list stays open. The page of an object changes to its list, since the
 * object exists in one environment only.
 */
export const useSwitchEnvironment = () => {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const page = path.split('/')[2] ?? 'overview'
  return (environment: Environment) => navigate({ to: `/${segmentOf(environment)}/${page}` })
}
