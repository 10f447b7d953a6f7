import '@tessera/widgets'
import type { Play } from '@tessera/widgets/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The shop's own server returns the session here, and tokens for the widgets at `/token`. */
const session = await (await fetch('/session')).json()
const tokenProvider = async () => (await (await fetch('/token', { method: 'POST' })).json()).token

const Shop = () => {
  const [last, setLast] = useState<Play>()
  return (
    <main>
      <h1>A shop in React</h1>
      <tessera-config
        api-key={session.apiKey}
        base-url={session.baseUrl}
        tokenProvider={tokenProvider}
      />
      <tessera-wheel ontessera-play={(event) => setLast(event.detail.play)} />
      <tessera-leaderboard count={5} />
      <p id="said">{last ? last.reward.label : 'Spin the wheel.'}</p>
    </main>
  )
}

createRoot(document.querySelector('#app') as HTMLElement).render(<Shop />)
