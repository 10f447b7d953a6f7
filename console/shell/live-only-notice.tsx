import { Alert, Anchor } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useEnvironment } from '../client/viewer.tsx'
import { IconInfoCircle } from '../parts/icons.ts'
import { texts } from '../texts/shell-texts.ts'

/** Says in TEST that the arena can be changed in LIVE only, and links there. */
export const LiveOnlyNotice = () => {
  const environment = useEnvironment()
  const page = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] })
  if (environment === 'LIVE') return null
  return (
    <Alert role="note" color="gray" mb="md" icon={<IconInfoCircle aria-hidden />}>
      {texts.liveOnly} <Anchor href={`/console/live/${page}`}>{texts.toLive}</Anchor>
    </Alert>
  )
}
