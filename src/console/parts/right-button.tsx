import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { type RightName, useMissingRight } from '../client/viewer.tsx'

/** A button that needs a right. Without it, it stays visible and says why it does nothing. */
export const RightButton = (
  props: ButtonProps & {
    right: RightName | undefined
    type?: 'button' | 'submit'
    onClick?: () => void
    children: ReactNode
  },
) => {
  const { right, ...buttonProps } = props
  const missing = useMissingRight(right)
  if (missing === null) return <Button {...buttonProps} />
  return (
    <Tooltip label={missing} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...buttonProps}
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}
