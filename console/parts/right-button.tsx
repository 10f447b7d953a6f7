import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Requirement, useMissingRight } from '../client/viewer.tsx'
import { RowMenuItem, useRowMenu } from './row-menu.tsx'

/** A button that needs a right. When it cannot be used, it stays visible and says why. In a row menu it is an item. */
export const RightButton = (
  props: ButtonProps & {
    right: Requirement | undefined
    /** Why nobody can do it now. */
    refusal?: string | null
    type?: 'button' | 'submit'
    onClick?: () => void
    children: ReactNode
  },
) => {
  const { right, refusal = null, ...buttonProps } = props
  const missing = useMissingRight(right) ?? refusal
  const menu = useRowMenu()
  if (menu)
    return (
      <RowMenuItem
        menu={menu}
        refusal={missing}
        isRed={buttonProps.color === 'red'}
        onClick={buttonProps.onClick}
      >
        {buttonProps.children}
      </RowMenuItem>
    )
  if (missing === null) return <Button {...buttonProps} />
  return (
    <Tooltip label={missing} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...buttonProps}
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}
