/** How a member likes to see a list. It is kept in their browser, for each partner. */
import { useLocalStorage } from '@mantine/hooks'
import type { Search } from '../client/link.tsx'
import { useViewer } from '../client/viewer.tsx'

/** Filters and an order that have a name. */
type SavedView = { name: string; search: Search }

type ListSettings = { hidden: readonly string[]; views: readonly SavedView[] }

const none: ListSettings = { hidden: [], views: [] }

/** What is stored may be of another version of the console. */
const settingsIn = (text: string | undefined): ListSettings => {
  try {
    const { hidden, views } = JSON.parse(text ?? '{}') as Partial<ListSettings>
    return {
      hidden: Array.isArray(hidden) ? hidden : [],
      views: Array.isArray(views) ? views.filter(({ name, search }) => name && search) : [],
    }
  } catch {
    return none
  }
}

/** The settings of a list, and a function that changes parts of them. A list without a name has none. */
export const useListSettings = (list: string | undefined) => {
  const { partner } = useViewer()
  const [settings, setSettings] = useLocalStorage<ListSettings>({
    key: `tessera-list ${partner.id} ${list ?? ''}`,
    defaultValue: none,
    getInitialValueInEffect: false,
    deserialize: settingsIn,
  })
  const change = (changes: Partial<ListSettings>) => setSettings((now) => ({ ...now, ...changes }))
  return [list === undefined ? none : settings, change] as const
}

/** The part of the URL that makes a view: filters and order, without the page and what is open. */
export const viewOf = (search: Search, names: readonly string[]): Search =>
  Object.fromEntries(
    [...names, 'sort', 'order'].flatMap((name) => (search[name] ? [[name, search[name]]] : [])),
  )
