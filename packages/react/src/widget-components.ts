'use client'
/**
 * The elements of `@tessera/widgets` as components. On a server they render the bare elements. The script of the
 * elements, which needs a browser, is loaded when the first of them is mounted.
 */
import type { WidgetElements, WidgetEvents, WidgetSettings } from '@tessera/widgets'
import {
  createElement,
  forwardRef,
  type HTMLAttributes,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'

type Tag = keyof WidgetElements

const callbacks = {
  'tessera-ready': 'onTesseraReady',
  'tessera-play-start': 'onTesseraPlayStart',
  'tessera-play': 'onTesseraPlay',
  'tessera-claim': 'onTesseraClaim',
  'tessera-goal-join': 'onTesseraGoalJoin',
  'tessera-goal-complete': 'onTesseraGoalComplete',
  'tessera-grant-claim': 'onTesseraGrantClaim',
  'tessera-buy': 'onTesseraBuy',
  'tessera-streak-grow': 'onTesseraStreakGrow',
  'tessera-redeem': 'onTesseraRedeem',
  'tessera-match-end': 'onTesseraMatchEnd',
  'tessera-error': 'onTesseraError',
} as const satisfies Record<keyof WidgetEvents, string>

type Callbacks = {
  [K in keyof WidgetEvents as (typeof callbacks)[K]]?:
    | ((event: CustomEvent<WidgetEvents[K]>) => void)
    | undefined
}

/** The props of every component: settings, callbacks, and HTML attributes. */
export type WidgetProps<T extends Tag = Tag> = WidgetSettings &
  Callbacks &
  Omit<HTMLAttributes<WidgetElements[T]>, 'children'>

/** Attributes with another name than their prop. React 18 does not rename any on custom elements. */
const attributes: Record<string, string> = {
  apiKey: 'api-key',
  baseUrl: 'base-url',
  userId: 'user-id',
  userToken: 'user-token',
  matchId: 'match-id',
  className: 'class',
}

/** Set on the element or listened to, so they are no attributes. */
const others = new Set<string>(['tokenProvider', 'texts', ...Object.values(callbacks)])

const attributesOf = ({ sound, ...props }: Record<string, unknown>) => ({
  ...(sound !== undefined && { sound: sound ? '' : 'off' }),
  ...Object.fromEntries(
    Object.entries(props)
      .filter(([name]) => !others.has(name))
      .map(([name, value]) => [attributes[name] ?? name, value]),
  ),
})

// A layout effect does nothing on a server, and React 18 warns about that.
const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect

const createWidget = <T extends Tag, Own = unknown>(tag: T) => {
  type Props = WidgetProps<T> & Own
  const Widget = forwardRef<WidgetElements[T], Props>((props, ref) => {
    const own = useRef<WidgetElements[T]>(null)
    const latest = useRef<Callbacks>(props)
    const { tokenProvider, texts }: WidgetSettings = props
    useImperativeHandle(ref, () => own.current as WidgetElements[T], [])

    useEffectBeforePaint(() => {
      latest.current = props
    })
    useEffectBeforePaint(() => {
      // React would make them attributes while the script is not there.
      Object.assign(own.current as Element, { tokenProvider, texts })
    }, [tokenProvider, texts])
    useEffectBeforePaint(() => {
      const element = own.current as Element
      const tell = (event: Event) => {
        const name = callbacks[event.type as keyof WidgetEvents]
        const callback = latest.current[name] as ((event: Event) => void) | undefined
        callback?.(event)
      }
      for (const type of Object.keys(callbacks)) element.addEventListener(type, tell)
      return () => {
        for (const type of Object.keys(callbacks)) element.removeEventListener(type, tell)
      }
    }, [])
    useEffect(() => {
      void import('@tessera/widgets')
    }, [])

    return createElement(tag, { ...attributesOf(props as Record<string, unknown>), ref: own })
  })
  Widget.displayName = tag
  return Widget
}

type Themed = { theme?: 'light' | 'dark' | 'auto' | undefined }
type Slug = Themed & { slug: string }

/** Settings of the widgets inside of it, or of all widgets on the page. */
export const TesseraConfig = createWidget<'tessera-config', { children?: ReactNode }>(
  'tessera-config',
)
export const TesseraWheel = createWidget<
  'tessera-wheel',
  Themed & { segments?: 'equal' | undefined }
>('tessera-wheel')
export const TesseraSlots = createWidget<'tessera-slots', Themed>('tessera-slots')
export const TesseraBoxes = createWidget<'tessera-boxes', Themed>('tessera-boxes')
export const TesseraBalance = createWidget<'tessera-balance', Themed>('tessera-balance')
export const TesseraHistory = createWidget<'tessera-history', Themed>('tessera-history')
export const TesseraOffers = createWidget<'tessera-offers', Themed>('tessera-offers')
export const TesseraBadges = createWidget<'tessera-badges', Themed>('tessera-badges')
export const TesseraStreak = createWidget<'tessera-streak', Themed & { slug?: string | undefined }>(
  'tessera-streak',
)
export const TesseraGoals = createWidget<
  'tessera-goals',
  Themed & { category?: string | undefined }
>('tessera-goals')
export const TesseraShop = createWidget<'tessera-shop', Themed>('tessera-shop')
export const TesseraRewards = createWidget<'tessera-rewards', Themed>('tessera-rewards')
export const TesseraCampaign = createWidget<'tessera-campaign', Slug>('tessera-campaign')
export const TesseraLottery = createWidget<'tessera-lottery', Slug>('tessera-lottery')
export const TesseraLeaderboard = createWidget<
  'tessera-leaderboard',
  Themed & { count?: number | undefined }
>('tessera-leaderboard')
export const TesseraMatch = createWidget<
  'tessera-match',
  Themed & { matchId?: string | undefined }
>('tessera-match')
