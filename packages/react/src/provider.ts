import type { Tessera } from '@tessera/client'
import { createContext, createElement, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { createStore, type Store } from './store.ts'

type Shared = { client: Tessera; userId: string | undefined; store: Store }

const TesseraContext = createContext<Shared | null>(null)

/** Provides the hooks below it with a client and the signed-in user. */
export const TesseraProvider = ({
  client,
  userId,
  children,
}: {
  /** Created once by `createTessera`, outside components. */
  client: Tessera
  /** Your id of the user; undefined while nobody is signed in. */
  userId?: string | undefined
  children?: ReactNode
}) => {
  // Another client or user gets none of the earlier data.
  const shared = useMemo(() => ({ client, userId, store: createStore() }), [client, userId])
  useEffect(() => {
    const { refresh } = shared.store
    window.addEventListener('focus', refresh)
    window.addEventListener('online', refresh)
    return () => {
      window.removeEventListener('focus', refresh)
      window.removeEventListener('online', refresh)
    }
  }, [shared])
  return createElement(TesseraContext.Provider, { value: shared }, children)
}

/** @throws Error outside a TesseraProvider */
export const useShared = (): Shared => {
  const shared = useContext(TesseraContext)
  if (!shared) throw new Error('Hooks of @tessera/react need a <TesseraProvider> around them')
  return shared
}

/** The client and the user of the provider. */
export const useTessera = (): Pick<Shared, 'client' | 'userId'> => useShared()
