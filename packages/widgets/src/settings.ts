/** The settings of widgets, and where they come from. */
import type { Texts } from './texts.ts'

type Settings = {
  /** The public key, `pk_…`. */
  apiKey: string
  /** Where the API is. Defaults to the server that served the script. */
  baseUrl: string
  /** The external id of the user. Defaults to the subject of the token. */
  userId: string
  /** A short-lived token of the user, from the partner's server. */
  userToken: string
  /** Returns a new token. Called when there is none, or it has expired. */
  tokenProvider: () => string | Promise<string>
  /** A BCP 47 tag for numbers and dates. Defaults to the language of the page. */
  locale: string
  /** Replaces texts of the widgets. */
  texts: Partial<Texts>
  /** Sounds are off unless this is true. */
  sound: boolean
}

export type PartialSettings = { [K in keyof Settings]?: Settings[K] | undefined }

/** The attributes of `<tessera-config>` and of every widget. */
export const settingAttributes = [
  'api-key',
  'base-url',
  'user-id',
  'user-token',
  'locale',
  'sound',
] as const

/** The element that settings are read from: a widget or a `<tessera-config>`. */
export type SettingsElement = Element & Pick<PartialSettings, 'tokenProvider' | 'texts'>

const own = (element: SettingsElement): PartialSettings => {
  const attribute = (name: (typeof settingAttributes)[number]) =>
    element.getAttribute(name)?.trim() || undefined
  return {
    apiKey: attribute('api-key'),
    baseUrl: attribute('base-url'),
    userId: attribute('user-id'),
    userToken: attribute('user-token'),
    locale: attribute('locale'),
    sound: element.hasAttribute('sound') ? element.getAttribute('sound') !== 'off' : undefined,
    tokenProvider: element.tokenProvider,
    texts: element.texts,
  }
}

/** Tells widgets that settings have changed. */
export const settingsChanges = new EventTarget()
export const announceSettings = (): void => {
  settingsChanges.dispatchEvent(new Event('change'))
}

const defaults: PartialSettings = {}

/** Sets defaults for all widgets of the page. Attributes of elements override them. */
export const configure = (settings: PartialSettings): void => {
  Object.assign(defaults, settings)
  announceSettings()
}

const scriptServer = /^(https?:.*)\/sdk\/widgets(?:\.js|\/)/.exec(import.meta.url)?.[1]

const given = (settings: PartialSettings): PartialSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

const configTag = 'tessera-config'

/**
 * The settings of a widget: its own attributes, then those of the `<tessera-config>` around it, or else of the first on
 * the page, then those of `configure`.
 */
export const settingsOf = (widget: SettingsElement): PartialSettings => {
  const config: SettingsElement | null =
    widget.closest(configTag) ?? widget.ownerDocument.querySelector(configTag)
  const found: PartialSettings = {
    baseUrl: scriptServer,
    ...given(defaults),
    ...given(config ? own(config) : {}),
    ...given(own(widget)),
  }
  return { ...found, baseUrl: found.baseUrl?.replace(/\/$/, '') }
}
