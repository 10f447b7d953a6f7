import { Box, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A titled part of a page, in a frame unless its content has one. */
export const Panel = (props: {
  title: string
  hint?: string
  actions?: ReactNode
  isFramed?: boolean
  children: ReactNode
}) => {
  const { title, hint, actions, isFramed = true, children } = props
  return (
    <Paper
      component="section"
      aria-label={title}
      {...(isFramed ? { withBorder: true, p: 'md' } : { bg: 'transparent' })}
    >
      <Group justify="space-between" align="flex-start" gap="xs" mb="sm">
        <Box>
          <Title order={2} size="h5">
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed" maw={640}>
              {hint}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  )
}
