import { useMantineTheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

/** On a phone nothing is free, so the page and its dialogs leave room at the top: `--toasts`, in pixels. */
const useRoom = (isPhone: boolean) =>
  useEffect(() => {
    const toasts = document.querySelector('.mantine-Notifications-root[data-position=top-center]')
    const { style } = document.documentElement
    if (!isPhone || !toasts) return
    const watcher = new ResizeObserver(() => {
      const { bottom, height } = toasts.getBoundingClientRect()
      style.setProperty('--toasts', height > 0 ? `${bottom}px` : '0px')
    })
    watcher.observe(toasts)
    return () => {
      watcher.disconnect()
      style.removeProperty('--toasts')
    }
  }, [isPhone])

/** Notifications cover no title and no button: they are over the navigation, or above the page on a phone. */
export const Toasts = () => {
  const { breakpoints } = useMantineTheme()
  const isPhone = !useMediaQuery(`(min-width: ${breakpoints.sm})`, true, {
    getInitialValueInEffect: false,
  })
  useRoom(isPhone)
  return (
    <Notifications
      position={isPhone ? 'top-center' : 'bottom-left'}
      containerWidth={isPhone ? 440 : 208}
      // A portal is there only after the effect above.
      withinPortal={false}
      limit={2}
      autoClose={3_000}
    />
  )
}
