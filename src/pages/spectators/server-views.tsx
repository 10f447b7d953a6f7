/** The pages as HTML, for the first paint. */
import { ArenaPage, type ArenaView } from './arena-view.tsx'
import { Frame } from './frame.tsx'
import { MatchPage, type MatchView } from './match-view.tsx'
import { renderHtml } from './render-html.ts'

const nothing = () => {}
const noActions = {
  play: nothing,
  pause: nothing,
  seek: nothing,
  setSpeed: nothing,
  showGame: nothing,
}

export const renderArena = (view: ArenaView): string => renderHtml(<ArenaPage view={view} />)
export const renderMatch = (view: MatchView): string =>
  renderHtml(<MatchPage view={view} act={noActions} />)
export const renderNotice = (title: string, text: string): string =>
  renderHtml(
    <Frame link="static" announcement="">
      <main id="content" class="notice">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a class="button" href="/arena">
            To the arena
          </a>
        </p>
      </main>
    </Frame>,
  )
