/** Mantine charts, lazy-loaded: they are a quarter of the download of a page with a chart. */
import '@mantine/charts/styles.css'
import type { AreaChartProps, BarChartProps } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'

const LoadedArea = lazyRouteComponent(() => import('./area-chart.ts'), 'AreaChart')
const LoadedBars = lazyRouteComponent(() => import('./bar-chart.ts'), 'BarChart')

export type ChartKind = 'area' | 'bar'

/** Loads charts of these kinds while a page waits for its data, so that it shows no fallback. */
export const preloadCharts = (kinds: readonly ChartKind[]) => {
  if (kinds.includes('area')) LoadedArea.preload?.()
  if (kinds.includes('bar')) LoadedBars.preload?.()
}

export const AreaChart = (props: AreaChartProps & { h: number }) => (
  <Suspense fallback={<Skeleton h={props.h} aria-busy />}>
    <LoadedArea {...props} />
  </Suspense>
)

export const BarChart = (props: BarChartProps & { h: number }) => (
  <Suspense fallback={<Skeleton h={props.h} aria-busy />}>
    <LoadedBars {...props} />
  </Suspense>
)
