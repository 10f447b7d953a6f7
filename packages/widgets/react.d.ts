/** The elements in JSX of React 19. */

import type { WidgetElements, WidgetEvents, WidgetSettings } from '@tessera/widgets'
import type { HTMLAttributes, RefAttributes } from 'react'

export * from '@tessera/widgets'

type WidgetListeners = {
  [K in keyof WidgetEvents as `on${K}`]?: (event: CustomEvent<WidgetEvents[K]>) => void
}

type WidgetAttributes = {
  'api-key'?: string
  'base-url'?: string
  'user-id'?: string
  'user-token'?: string
  locale?: string
  sound?: boolean | 'off'
  theme?: 'light' | 'dark' | 'auto'
  slug?: string
  count?: number
  category?: string
  segments?: 'equal'
  'match-id'?: string
} & Pick<WidgetSettings, 'tokenProvider' | 'texts'>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements
      extends Record<
        keyof WidgetElements,
        HTMLAttributes<HTMLElement> &
          RefAttributes<HTMLElement> &
          WidgetAttributes &
          WidgetListeners
      > {}
  }
}
