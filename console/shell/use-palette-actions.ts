import { useMantineColorScheme } from '@mantine/core'
import { type PageName, useGoTo } from '../client/link.tsx'
import { endSession } from '../client/session.ts'
import { type Requirement, useEnvironment, useMayDo } from '../client/viewer.tsx'
import {
  type Icon,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSettings,
  IconSun,
  IconSwitchHorizontal,
} from '../parts/icons.ts'
import { paletteTexts as texts } from '../texts/palette-texts.ts'
import { showKeys } from './keys-dialog.tsx'
import { pages } from './pages.ts'
import { useMaySee } from './require-right.tsx'
import { useSwitchEnvironment } from './use-switch-environment.ts'

/** Something that the palette does, with other words by which it is found. */
export type PaletteAction = {
  id: string
  label: string
  words: string
  icon: Icon
  run: () => unknown
}

/** What a link with `?create` opens, and the right that it takes. */
const creations: readonly (readonly [keyof typeof texts.create, Requirement | 'OPERATOR'])[] = [
  ['campaigns', 'CAMPAIGNS_WRITE'],
  ['goals', 'PROGRAMME_WRITE'],
  ['rewards', 'PROGRAMME_WRITE'],
  ['lotteries', 'LOTTERIES_WRITE'],
  ['codes', 'CAMPAIGNS_WRITE'],
  ['segments', 'JOURNEYS_WRITE'],
  ['keys', 'KEYS_WRITE'],
  ['webhooks', 'WEBHOOKS_WRITE'],
  ['exports', 'EXPORT'],
  ['team', 'MEMBERS_WRITE'],
  ['applications', 'KEYS_WRITE'],
  ['agents', 'ARENA_WRITE'],
  ['arena-games', 'ARENA_WRITE'],
  ['partners', 'OPERATOR'],
]

const pageOfPlace: Record<keyof typeof texts.places, PageName> = {
  timeZone: 'settings',
  logo: 'brand',
  terms: 'brand',
  password: 'account',
  secondFactor: 'account',
  signIns: 'account',
  spent: 'ledger',
  roles: 'team',
}

const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][]

/** The settings that the member may see, each by its own name. */
export const usePaletteSettings = (): PaletteAction[] => {
  const goTo = useGoTo()
  const maySee = useMaySee()
  return entriesOf(texts.places).flatMap(([id, [label, words]]) => {
    const page = pages.find(({ name }) => name === pageOfPlace[id])
    if (!page || !maySee(page)) return []
    return [{ id, label, words, icon: IconSettings, run: () => goTo({ page: page.name }) }]
  })
}

/** What the member may do from anywhere. */
export const usePaletteActions = (): PaletteAction[] => {
  const goTo = useGoTo()
  const mayDo = useMayDo()
  const maySee = useMaySee()
  const environment = useEnvironment()
  const switchTo = useSwitchEnvironment()
  const { setColorScheme } = useMantineColorScheme()
  const isLive = environment === 'LIVE'
  const scheme = (name: 'light' | 'dark' | 'system', icon: Icon): PaletteAction => ({
    id: `scheme-${name}`,
    label: texts[name],
    words: texts.appearanceWords,
    icon,
    run: () => setColorScheme(name === 'system' ? 'auto' : name),
  })
  return [
    ...creations
      .filter(([, right]) => (right === 'OPERATOR' ? maySee({ right }) : mayDo(right)))
      .map(([page]) => ({
        id: `create-${page}`,
        label: texts.create[page],
        words: texts.createWords,
        icon: IconPlus,
        // The page of keys has the kind of the new key in its address.
        run: () => goTo({ page, search: { create: page === 'keys' ? 'SECRET' : 'yes' } }),
      })),
    {
      id: 'switch',
      label: isLive ? texts.toTest : texts.toLive,
      words: texts.environmentWords,
      icon: IconSwitchHorizontal,
      run: () => switchTo(isLive ? 'TEST' : 'LIVE'),
    },
    scheme('light', IconSun),
    scheme('dark', IconMoon),
    scheme('system', IconDeviceDesktop),
    { id: 'keys', label: texts.keys, words: texts.keysWords, icon: IconKeyboard, run: showKeys },
    {
      id: 'sign-out',
      label: texts.signOut,
      words: texts.signOutWords,
      icon: IconLogout,
      run: endSession,
    },
  ]
}
