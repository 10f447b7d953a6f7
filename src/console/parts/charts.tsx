/** Charts as Mantine has them, each loaded when it is shown: they are a quarter of what a page with one loads. */
import '@mantine/charts/styles.css'
import type { AreaChartProps, BarChartProps } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

const LoadedArea = lazy(async () => ({ default: (await import('./area-chart.ts')).AreaChart }))
const LoadedBars = lazy(async () => ({ default: (await import('./bar-chart.ts')).BarChart }))

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
