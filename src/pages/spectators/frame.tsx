/** The frame around the content of both pages. */
import type { ComponentChildren } from 'preact'
import { Sign } from './marks.tsx'

/** The connection of a page: `static` without JavaScript, `over` if no events will follow. */
export type Link = 'static' | 'connecting' | 'live' | 'reconnecting' | 'over'

const linkWords: Record<Link, string> = {
  static: '',
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  over: '',
}

export const Frame = ({
  link,
  announcement,
  children,
}: {
  link: Link
  announcement: string
  children: ComponentChildren
}) => (
  <>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="top">
      <a class="brand" href="/arena" aria-label="Tessera arena, all matches">
        <Sign />
        <b>Tessera</b> <span>Arena</span>
      </a>
      <p class={`link link-${link}`} role="status">
        {linkWords[link]}
      </p>
    </header>
    {link === 'reconnecting' && (
      <p class="toast" key="toast">
        <b>The connection was lost.</b> What happens meanwhile is not missed: it is shown as soon as
        the connection is back.
      </p>
    )}
    {children}
    <p class="unseen" aria-live="polite" id="news">
      {announcement}
    </p>
    <footer class="bottom">
      <p>Every move here is made by a software agent, and kept: each match can be watched again.</p>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </footer>
  </>
)
