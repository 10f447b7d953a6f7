/** Mantine charts, lazy-loaded: they are a quarter of the download of a page with a chart. */
import '@mantine/charts/styles.css'
import type { BarChartProps } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { DrawnChart } from './drawn-chart.tsx'

const bars = () => import('./bar-chart.tsx')
const LoadedAreas = lazyRouteComponent(() => import('./area-chart.tsx'), 'DayAreas')
const LoadedDayBars = lazyRouteComponent(bars, 'DayBars')
const LoadedBars = lazyRouteComponent(bars, 'BarChart')

export type ChartKind = 'area' | 'bar'

/** Loads charts of these kinds while a page waits for its data, so that it shows no fallback. */
export const preloadCharts = (kinds: readonly ChartKind[]) => {
  if (kinds.includes('area')) LoadedAreas.preload?.()
  if (kinds.includes('bar')) LoadedDayBars.preload?.()
}

export const DayAreas = (props: DrawnChart) => (
  <Suspense fallback={<Skeleton h={props.h} aria-busy />}>
    <LoadedAreas {...props} />
  </Suspense>
)

export const DayBars = (props: DrawnChart) => (
  <Suspense fallback={<Skeleton h={props.h} aria-busy />}>
    <LoadedDayBars {...props} />
  </Suspense>
)

/** Bars of something else than days. */
export const BarChart = (props: BarChartProps & { h: number }) => (
  <Suspense fallback={<Skeleton h={props.h} aria-busy />}>
    <LoadedBars {...props} />
  </Suspense>
)
