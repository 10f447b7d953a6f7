import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { askBy } from '../client/session.ts'

// Loaded when a session has ended.
const SignInAgain = lazyRouteComponent(() => import('./sign-in-again.tsx'), 'SignInAgain')

/** Asks the member to sign in over the page when their session has ended, so that nothing on it is lost. */
export const EndedSession = () => {
  const [finish, setFinish] = useState<(() => void) | null>(null)
  useEffect(() => askBy(() => new Promise((resolve) => setFinish(() => resolve))), [])
  return (
    <Suspense>
      {finish && (
        <SignInAgain
          onDone={() => {
            setFinish(null)
            finish()
          }}
        />
      )}
    </Suspense>
  )
}
