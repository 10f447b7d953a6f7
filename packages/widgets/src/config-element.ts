/** `<tessera-config>`: settings for the widgets inside it, or for all widgets on the page. It shows nothing. */
import {
  announceSettings,
  type PartialSettings,
  type SettingsElement,
  settingAttributes,
} from './settings.ts'

export class ConfigElement extends HTMLElement implements SettingsElement {
  static observedAttributes: readonly string[] = settingAttributes
  #provider: PartialSettings['tokenProvider']
  #texts: PartialSettings['texts']

  get tokenProvider(): PartialSettings['tokenProvider'] {
    return this.#provider
  }
  set tokenProvider(provider: PartialSettings['tokenProvider']) {
    this.#provider = provider
    announceSettings()
  }

  get texts(): PartialSettings['texts'] {
    return this.#texts
  }
  set texts(texts: PartialSettings['texts']) {
    this.#texts = texts
    announceSettings()
  }

  connectedCallback(): void {
    // The page may have set them before this script was loaded.
    for (const name of ['tokenProvider', 'texts'] as const) this.#adopt(name)
    announceSettings()
  }

  disconnectedCallback(): void {
    announceSettings()
  }

  attributeChangedCallback(): void {
    announceSettings()
  }

  #adopt(name: 'tokenProvider' | 'texts'): void {
    if (!Object.hasOwn(this, name)) return
    const value = this[name]
    Reflect.deleteProperty(this, name)
    Object.assign(this, { [name]: value })
  }
}
