import '@mantine/spotlight/styles.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { type PageName, useGoTo } from '../client/link.tsx'
import { IconSearch } from '../parts/icons.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { pageNames, texts } from '../texts/shell-texts.ts'
import { pages } from './pages.ts'
import classes from './palette.module.css'
import { useMaySee } from './require-right.tsx'
import { useFound } from './use-found.ts'
import { type PaletteAction, usePaletteActions, usePaletteSettings } from './use-palette-actions.ts'

const [store, palette] = createSpotlight()

export const showPalette = palette.open

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const

const iconOf = (page: PageName) => pages.find(({ name }) => name === page)?.icon ?? IconSearch

/** The objects that were found, and a search for more users. */
const useThings = (typed: string): SpotlightActionGroupData[] => {
  const goTo = useGoTo()
  const { groups, isCodeFound, isRead } = useFound(typed)
  const term = typed.trim()
  if (term === '') return []
  const found = groups.map(({ group, page, found }) => {
    const Sign = iconOf(page)
    const actions: SpotlightActionData[] = found.map(({ place, ...named }) => ({
      ...named,
      leftSection: <Sign {...icon} />,
      onClick: () => goTo(place),
    }))
    return { group, actions }
  })
  const more: SpotlightActionData = {
    id: 'find-user',
    label: texts.findUser(term),
    leftSection: <IconSearch {...icon} />,
    onClick: () => goTo({ page: 'users', search: { search: term } }),
  }
  // A code does not belong into the address.
  return isRead && !isCodeFound ? [...found, { group: pageNames.users, actions: [more] }] : found
}

/** Whether each word that was typed begins a word of the action. */
const isMeant = ({ label, words }: Pick<PaletteAction, 'label' | 'words'>, typed: string) => {
  const known = `${label} ${words}`.toLowerCase().split(/\s+/)
  const meant = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return meant.every((word) => known.some((item) => item.startsWith(word)))
}

const shownActions = (actions: readonly PaletteAction[]): SpotlightActionData[] =>
  actions.map(({ id, label, icon: Sign, run }) => ({
    id,
    label,
    leftSection: <Sign {...icon} />,
    onClick: () => void run(),
  }))

/** Pages, actions and settings whose names were typed. Settings are shown when something was typed. */
const useNamed = (typed: string): SpotlightActionGroupData[] => {
  const goTo = useGoTo()
  const maySee = useMaySee()
  const actions = usePaletteActions().filter((action) => isMeant(action, typed))
  const settings = usePaletteSettings().filter((place) => typed.trim() && isMeant(place, typed))
  const isNamed = (page: PageName) =>
    pageNames[page].toLowerCase().includes(typed.trim().toLowerCase())
  const places = pages
    .filter((page) => maySee(page) && isNamed(page.name))
    .map(({ name, icon: Sign }) => ({
      id: name,
      label: pageNames[name],
      leftSection: <Sign {...icon} />,
      onClick: () => goTo({ page: name }),
    }))
  return [
    { group: texts.pages, actions: places },
    { group: paletteTexts.actions, actions: shownActions(actions) },
    { group: paletteTexts.settings, actions: shownActions(settings) },
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

/** One group for each name: React would keep the lines of a second group of the same name. */
const joinGroups = (groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] =>
  [...Map.groupBy(groups, ({ group }) => group)].map(([group, parts]) => ({
    group,
    actions: parts.flatMap(({ actions }) => actions),
  }))

/** Goes to any page, finds objects by their names, and does what the member may do anywhere. Opens by Ctrl + K. */
export const CommandPalette = () => {
  const [term, setTerm] = useState('')
  const things = useThings(term)
  const actions = joinGroups([...useNamed(term), ...things])
  useFirstAction(actions)
  return (
    <Spotlight
      store={store}
      shortcut={null}
      classNames={{ actionDescription: classes['description'] ?? '' }}
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
