/** A module of its own, so that pages with areas only do not load it. */
export { BarChart } from '@mantine/charts'
