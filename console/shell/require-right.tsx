import { Alert, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useViewer } from '../client/viewer.tsx'
import { IconLock } from '../parts/icons.ts'
import { texts } from '../texts/shell-texts.ts'
import type { PageEntry } from './pages.ts'

/** Whether the member may see a page. */
export const useMaySee = () => {
  const { rights, member } = useViewer()
  return ({ right }: Pick<PageEntry, 'right'>) =>
    right === undefined || (right === 'OPERATOR' ? member?.isOperator : rights.includes(right))
}

export const RequireRight = (props: { right: PageEntry['right']; children: ReactNode }) => {
  const maySee = useMaySee()
  const { member } = useViewer()
  if (maySee(props)) return props.children
  return (
    <Alert icon={<IconLock />} color="gray" m="lg">
      <Title order={1} size="h4">
        {texts.noAccess}
      </Title>
      {texts.missingRight(member?.role ?? '')}
    </Alert>
  )
}
