import '@mantine/core/styles.css'
import './console.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cspNonce } from './csp-nonce.ts'
import { cssVariables, theme } from './theme.ts'

// Libraries that write style elements read the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: cspNonce() })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

/** Pages for people who are not signed in. They load without the rest of the console. */
const isDoor = /^\/console\/(sign-in|invitation|reset)\/?$/.test(location.pathname)

const page = isDoor ? import('./door/door.tsx') : import('./shell/console.tsx')

// Rendered once it is loaded: React shows a fallback for at least 300 ms.
page.then(({ default: Page }) =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={cspNonce}
      >
        <Page />
      </MantineProvider>
    </StrictMode>,
  ),
)
