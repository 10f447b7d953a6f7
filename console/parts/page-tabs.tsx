import { Tabs } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { PageSkeleton } from './page.tsx'

/** The tab in the URL, if the page has it; otherwise the first. */
export const useTab = <Name extends string>(names: readonly [Name, ...Name[]]): Name => {
  const [{ tab }] = usePageSearch()
  return names.find((name) => name === tab) ?? names[0]
}

/** Of the state in the URL, only the period is shared by all tabs. */
const shared: readonly string[] = ['period', 'from', 'to', 'compare']

/** The tabs of a page and the content of the selected one. A change of tab resets filters and cursors. */
export const PageTabs = <Name extends string>(props: {
  names: readonly Name[]
  labels: Readonly<Record<Name, string>>
  shown: Name
  children: ReactNode
}) => {
  const { names, labels, shown, children } = props
  const [search, setSearch] = usePageSearch()
  const show = (tab: string | null) => {
    const left = Object.keys(search).filter((name) => !shared.includes(name))
    setSearch({
      ...Object.fromEntries(left.map((name) => [name, undefined])),
      tab: tab ?? undefined,
    })
  }
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {labels[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
