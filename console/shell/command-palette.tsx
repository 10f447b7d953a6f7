import '@mantine/spotlight/styles.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { useGoTo } from '../client/link.tsx'
import { IconConfetti, IconSearch, IconUser } from '../parts/icons.ts'
import { pageNames, texts } from '../texts/shell-texts.ts'
import { pages } from './pages.ts'
import { useMaySee } from './require-right.tsx'
import { useFound } from './use-found.ts'

const [store, palette] = createSpotlight()

export const showPalette = palette.open

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

/** Users and campaigns that were found, and a search for more users. */
const useThings = (typed: string): SpotlightActionGroupData[] => {
  const goTo = useGoTo()
  const { users, campaigns } = useFound(typed)
  const term = typed.trim()
  if (term === '') return []
  const found: SpotlightActionData[] = users.map(({ id, displayName, externalId }) => ({
    id,
    label: displayName ?? externalId,
    ...(displayName && { description: externalId }),
    // Keeps the result visible: the server may have matched its e-mail address.
    keywords: [typed],
    leftSection: <IconUser {...icon} />,
    onClick: () => goTo({ page: 'users', id }),
  }))
  const more: SpotlightActionData = {
    id: 'find-user',
    label: texts.findUser(term),
    keywords: [typed],
    leftSection: <IconSearch {...icon} />,
    onClick: () => goTo({ page: 'users', search: { search: term } }),
  }
  return [
    {
      group: pageNames.campaigns,
      actions: campaigns.map(({ id, name }) => ({
        id,
        label: name,
        // Keeps the result visible: the server may have matched its slug.
        keywords: [typed],
        leftSection: <IconConfetti {...icon} />,
        onClick: () => goTo({ page: 'campaigns', id }),
      })),
    },
    { group: pageNames.users, actions: [...found, more] },
  ]
}

/**
 * Enter opens the first action, even if it arrived after the last keystroke, unless another was chosen with an arrow.
 * By default, the palette keeps selecting the action that was first at the last keystroke.
 */
const useFirstAction = (actions: readonly SpotlightActionGroupData[]) => {
  const ids = actions.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ')
  useEffect(() => {
    const { selected, listId } = store.getState()
    if (selected > 0 || listId === '') return
    const [first, ...others] = document.querySelectorAll(`#${listId} [data-action]`)
    for (const other of others) other.removeAttribute('data-selected')
    first?.setAttribute('data-selected', 'true')
  }, [ids])
}

/** Goes to any page, and finds users and campaigns. Opens by Ctrl + K. */
export const CommandPalette = () => {
  const goTo = useGoTo()
  const maySee = useMaySee()
  const [term, setTerm] = useState('')
  const things = useThings(term)
  const places: SpotlightActionGroupData = {
    group: texts.pages,
    actions: pages.filter(maySee).map(({ name, icon: Icon }) => ({
      id: name,
      label: pageNames[name],
      leftSection: <Icon {...icon} />,
      onClick: () => goTo({ page: name }),
    })),
  }
  const actions = [places, ...things]
  useFirstAction(actions)
  return (
    <Spotlight
      store={store}
      shortcut={null}
      attributes={{ content: { 'aria-label': texts.search } }}
      actions={actions}
      query={term}
      onQueryChange={setTerm}
      nothingFound={texts.nothingFound}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: texts.searchPlaceholder,
        'aria-label': texts.search,
      }}
    />
  )
}
