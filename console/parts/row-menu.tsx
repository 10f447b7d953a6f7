/** The menu at the end of a row. The buttons of its actions become its items. */
import { ActionIcon, Menu, Text } from '@mantine/core'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../texts/shell-texts.ts'
import { IconDots } from './icons.ts'

type RowMenuState = {
  /** Where the items are shown; null while the menu is closed. */
  slot: HTMLElement | null
  addItem: () => () => void
  close: () => void
}

const RowMenuContext = createContext<RowMenuState | null>(null)

/** The menu that shows the buttons of this place as its items; null elsewhere. */
export const useRowMenu = () => use(RowMenuContext)

/** Buttons in a dialog are buttons, even if an item of the menu opened it. */
export const OutsideRowMenu = ({ children }: { children: ReactNode }) => (
  <RowMenuContext value={null}>{children}</RowMenuContext>
)

/**
 * A menu of actions for a row. Its children stay mounted, because the dialogs that they open outlive the open menu; other
 * content is shown before it. Without an action there is no menu.
 */
export const RowMenu = ({ name, children }: { name: string; children: ReactNode }) => {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [itemCount, setItemCount] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const state = useMemo<RowMenuState>(
    () => ({
      slot,
      addItem: () => {
        setItemCount((count) => count + 1)
        return () => setItemCount((count) => count - 1)
      },
      close: () => {
        setIsOpen(false)
        button.current?.focus()
      },
    }),
    [slot],
  )
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      // An element without a role is no child of a menu, and content outside of landmarks is hard to find.
      withInitialFocusPlaceholder={false}
      portalProps={{ target: 'main' }}
    >
      <RowMenuContext value={state}>{children}</RowMenuContext>
      {itemCount > 0 && (
        <>
          <Menu.Target>
            <ActionIcon
              ref={button}
              variant="subtle"
              color="gray"
              aria-label={texts.actionsFor(name)}
            >
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown maw={320}>
            <div ref={setSlot} role="none" />
          </Menu.Dropdown>
        </>
      )}
    </Menu>
  )
}

/** An item of the menu. One that cannot be used can have the focus, so that its reason is read. */
export const RowMenuItem = (props: {
  menu: RowMenuState
  refusal: string | null
  isRed: boolean
  onClick: (() => void) | undefined
  children: ReactNode
}) => {
  const { menu, refusal, isRed, onClick, children } = props
  const { slot, addItem, close } = menu
  useEffect(addItem, [])
  if (!slot) return null
  const choose = () => {
    // A dialog gives the focus back to what had it before.
    close()
    onClick?.()
  }
  return createPortal(
    <Menu.Item
      {...(isRed && refusal === null && { c: 'red' })}
      {...(refusal !== null && { 'aria-disabled': true, c: 'dimmed', closeMenuOnClick: false })}
      onClick={refusal === null ? choose : undefined}
      // An item is no child of the menu's element, so that its keys do not reach it.
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && close()}
    >
      {children}
      {refusal !== null && (
        <Text component="span" display="block" size="xs">
          {refusal}
        </Text>
      )}
    </Menu.Item>,
    slot,
  )
}
