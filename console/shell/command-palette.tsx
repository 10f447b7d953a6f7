import '@mantine/spotlight/styles.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { type PageName, useGoTo } from '../client/link.tsx'
import {
  type Icon,
  IconConfetti,
  IconFlag,
  IconMedal,
  IconSearch,
  IconTargetArrow,
  IconTicket,
  IconUser,
  IconWand,
} from '../parts/icons.ts'
import { pageNames, texts } from '../texts/shell-texts.ts'
import { pages } from './pages.ts'
import { useMaySee } from './require-right.tsx'
import { useFound } from './use-found.ts'

const [store, palette] = createSpotlight()

export const showPalette = palette.open

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

/** The objects that were found, and a search for more users. */
const useThings = (typed: string): SpotlightActionGroupData[] => {
  const goTo = useGoTo()
  const { users, ...found } = useFound(typed)
  const term = typed.trim()
  if (term === '') return []
  const foundUsers: SpotlightActionData[] = users.map(({ id, displayName, externalId }) => ({
    id,
    label: displayName ?? externalId,
    ...(displayName && { description: externalId }),
    leftSection: <IconUser {...icon} />,
    onClick: () => goTo({ page: 'users', id }),
  }))
  const more: SpotlightActionData = {
    id: 'find-user',
    label: texts.findUser(term),
    leftSection: <IconSearch {...icon} />,
    onClick: () => goTo({ page: 'users', search: { search: term } }),
  }
  const named = (page: keyof typeof found, Sign: Icon): SpotlightActionGroupData => ({
    group: pageNames[page],
    actions: found[page].map(({ id, name }) => ({
      id,
      label: name,
      leftSection: <Sign {...icon} />,
      onClick: () => goTo({ page, id }),
    })),
  })
  return [
    named('campaigns', IconConfetti),
    named('goals', IconFlag),
    named('rewards', IconMedal),
    named('lotteries', IconWand),
    named('segments', IconTargetArrow),
    named('codes', IconTicket),
    { group: pageNames.users, actions: [...foundUsers, more] },
  ]
}

const isNamed = (page: PageName, typed: string) =>
  pageNames[page].toLowerCase().includes(typed.trim().toLowerCase())

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

/** Goes to any page, and finds objects by their names. Opens by Ctrl + K. */
export const CommandPalette = () => {
  const goTo = useGoTo()
  const maySee = useMaySee()
  const [term, setTerm] = useState('')
  const things = useThings(term)
  const places: SpotlightActionGroupData = {
    group: texts.pages,
    actions: pages
      .filter((page) => maySee(page) && isNamed(page.name, term))
      .map(({ name, icon: Icon }) => ({
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
      // The server may have matched what is not shown, such as an e-mail address or a slug.
      filter={(_, found) => found}
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
