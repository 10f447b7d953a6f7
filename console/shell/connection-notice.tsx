import { Notification } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { IconPlugConnectedX } from '../parts/icons.ts'
import { texts } from '../texts/shell-texts.ts'
import classes from './connection-notice.module.css'

const probeMs = 2_000

const probe = async () => {
  const { ok } = await fetch('/livez', { cache: 'no-store' })
  if (ok) onlineManager.setOnline(true)
}

/** Says that the connection is lost, and polls the server until it is back. Then all visible data is refetched. */
export const ConnectionNotice = () => {
  const isOnline = useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline())
  useEffect(() => {
    if (isOnline) return
    const timer = setInterval(() => probe().catch(() => {}), probeMs)
    return () => clearInterval(timer)
  }, [isOnline])
  if (isOnline) return null
  return (
    <Notification
      className={classes['notice'] ?? ''}
      color="yellow"
      icon={<IconPlugConnectedX size={18} aria-hidden />}
      title={texts.connectionLost}
      withCloseButton={false}
      withBorder
      role="status"
    >
      {texts.connectionLostHint}
    </Notification>
  )
}
