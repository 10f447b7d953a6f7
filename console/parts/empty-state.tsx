import { EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from './icons.ts'

/** The empty state of a list: what belongs there, and what to do next. */
export const EmptyState = (props: { icon: Icon; text: string; action?: ReactNode }) => {
  const { icon: Icon, text, action } = props
  return (
    <MantineEmptyState
      size="sm"
      variant="light"
      py="md"
      maw={520}
      mx="auto"
      icon={<Icon stroke={1.5} aria-hidden />}
      description={text}
    >
      {action && <MantineEmptyState.Actions>{action}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  )
}
