/** A module of its own, so that pages with bars only do not load it. */
export { AreaChart } from '@mantine/charts'
