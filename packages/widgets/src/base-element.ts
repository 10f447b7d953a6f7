/** The base of all widgets: finds settings, loads data, and shows errors. */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type { Brand } from './brand.ts'
import type { Play } from './plays.ts'
import { isAboutToken, isPassing, isProviderFailure, Problem } from './problem.ts'
import { type Session, sessionOf } from './session.ts'
import {
  type PartialSettings,
  type SettingsElement,
  settingAttributes,
  settingsChanges,
  settingsOf,
} from './settings.ts'
import { createSay, lacksTexts, loadTexts, type Say } from './texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

const toProblem = (error: unknown) =>
  error instanceof Problem ? error : new Problem('FAILED', String(error))

/** What could not be loaded for a reason that passes is loaded again after this time. */
const loadAgainMs = 10_000

export abstract class TesseraElement extends LitElement implements SettingsElement {
  static override styles = [theme]
  static override properties = {
    tokenProvider: { attribute: false },
    texts: { attribute: false },
    problem: { state: true },
  }

  declare tokenProvider: PartialSettings['tokenProvider']
  declare texts: PartialSettings['texts']
  declare problem: Problem | undefined
  protected settings: PartialSettings = {}
  protected session: Session | null = null
  protected say: Say = createSay(undefined)
  /** The brand of the partner, once it is known. */
  #brand: Brand | undefined
  #brandParts: typeof import('./brand-parts.ts') | undefined
  #hadUser = false
  /** Counts loads, so that a late answer never replaces a newer one. */
  #loads = 0
  #later: ReturnType<typeof setTimeout> | undefined
  #unfollow: (() => void) | undefined

  static override get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: the getter finalizes the class that it is called on
    return [...super.observedAttributes, ...settingAttributes]
  }

  /** Loads the data of the widget. @throws Problem */
  protected abstract load(session: Session): Promise<void>
  /** Whether there is something to show. */
  protected abstract get isLoaded(): boolean
  /** The content once it is loaded. */
  protected abstract content(): TemplateResult
  /** A placeholder of the same shape, shown until then. */
  protected abstract skeleton(): TemplateResult
  /** Clears the content when the user or the server changes. */
  protected abstract clear(): void
  /** Called when a game on the page has shown an outcome of the same user. */
  protected played(_: Play): void {}
  /** Called when goals or rewards of the same user have changed. */
  protected rewarded(): void {}
  /** The lists of the user that it follows, beside the balance; null for a widget that shows nothing of the user. */
  protected get follows(): readonly Part[] | null {
    return null
  }
  /** Called with the state of the user after each change. */
  protected followed(_: UserState): void {}
  /** The brand that it shows: that of the partner, unless what it shows has its own. */
  protected get brand(): Brand | undefined {
    return this.#brand
  }
  /** Whether it shows logo, promoter and terms. */
  protected get showsBrand(): boolean {
    return false
  }
  /** Whether its requests need a key. */
  protected get needsKey(): boolean {
    return true
  }
  /** Whether it needs a user to show anything. */
  protected get needsUser(): boolean {
    return false
  }
  /** Whether it needs a token of the user to show anything. */
  protected get needsToken(): boolean {
    return false
  }

  readonly #settle = () => {
    this.settings = settingsOf(this)
    this.#speak()
    const session = sessionOf(this.settings, this.needsKey)
    const isSameUser = this.#hadUser === (session?.hasUser ?? false)
    this.#hadUser = session?.hasUser ?? false
    if (session !== this.session) {
      this.#leave()
      this.session = session
      this.#join()
      if (this.isLoaded) this.clear()
      void this.refetch()
    } else if (
      !(session && isSameUser) ||
      isAboutToken(this.problem) ||
      isProviderFailure(this.problem) ||
      /^NO_(USER|TOKEN)$/.test(this.problem?.code ?? '')
    ) {
      void this.refetch()
    }
    this.requestUpdate()
  }

  /** The language of the page around it or, on a page without one, that of the brand. */
  get #locale(): string | undefined {
    const around = this.closest<HTMLElement>('[lang]') ?? this.ownerDocument.documentElement
    return this.settings.locale ?? (around.lang || this.brand?.language?.toLowerCase())
  }

  #speak(): void {
    this.say = createSay(this.#locale, this.settings.texts)
  }

  /** Loads the texts of another language than English. */
  async #learn(): Promise<void> {
    if (!lacksTexts(this.say.locale)) return
    await loadTexts(this.say.locale)
    this.#speak()
  }

  /** Takes the language of the brand. */
  async #dress(session: Session): Promise<void> {
    this.#brand = await session.brand()
    this.#speak()
    await this.#learn()
  }

  /** Loads the parts that show logo, promoter, terms and picture, if the brand has some of them. */
  async #loadBrandParts(): Promise<void> {
    const { brand } = this
    if (!brand || !this.showsBrand || this.#brandParts) return
    if (Object.values(brand).every((value) => value === null)) return
    this.#brandParts = await import('./brand-parts.ts').catch(() => undefined)
    const sheet = this.#brandParts?.brandStyles.styleSheet
    if (sheet) this.shadowRoot?.adoptedStyleSheets.push(sheet)
  }

  /** The picture of the brand for the top of a card. */
  protected brandPicture(): unknown {
    return this.#brandParts?.brandPicture(this.brand) ?? nothing
  }

  readonly #refresh = () => this.requestUpdate()
  readonly #played = (event: Event) => this.played((event as CustomEvent<Play>).detail)
  readonly #rewarded = () => this.rewarded()
  readonly #followed = (event: Event) => this.followed((event as CustomEvent<UserState>).detail)

  #join(): void {
    this.session?.addEventListener('balance', this.#refresh)
    this.session?.addEventListener('play', this.#played)
    this.session?.addEventListener('reward', this.#rewarded)
    this.session?.addEventListener('state', this.#followed)
    const { follows } = this
    if (follows) this.#unfollow ??= this.session?.follow(follows)
  }

  #leave(): void {
    this.session?.removeEventListener('balance', this.#refresh)
    this.session?.removeEventListener('play', this.#played)
    this.session?.removeEventListener('reward', this.#rewarded)
    this.session?.removeEventListener('state', this.#followed)
    this.#unfollow?.()
    this.#unfollow = undefined
  }

  readonly #online = () => {
    this.requestUpdate()
    this.#loadAgain()
  }

  /** Loads again what failed for a reason that passes. */
  #loadAgain(): void {
    if (!this.isConnected || !navigator.onLine) return
    if (isPassing(this.problem) || isProviderFailure(this.problem)) void this.refetch(this.problem)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    settingsChanges.addEventListener('change', this.#settle)
    addEventListener('online', this.#online)
    addEventListener('offline', this.#online)
    this.#join()
    this.#settle()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    settingsChanges.removeEventListener('change', this.#settle)
    removeEventListener('online', this.#online)
    removeEventListener('offline', this.#online)
    this.#leave()
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value)
    if (this.isConnected && old !== value) this.#settle()
  }

  override willUpdate(changed: PropertyValues): void {
    const { light, dark } = this.brand?.accent ?? {}
    this.style.setProperty('--_brand', dark ? `light-dark(${light}, ${dark})` : null)
    // Under white text in both themes.
    this.style.setProperty('--_deep', light ?? null)
    if (this.hasUpdated && (changed.has('texts') || changed.has('tokenProvider'))) this.#settle()
  }

  /** Reads everything again, including a balance that was just read. */
  async reload(): Promise<void> {
    if (this.session?.hasUser) await this.session.readUserAgain().catch(() => undefined)
    await this.refetch()
  }

  /**
   * Reads everything again, except a balance that was just read.
   * @param shown the problem that stays visible, and is not announced again, until there is an answer
   */
  protected async refetch(shown?: Problem): Promise<void> {
    const load = ++this.#loads
    if (lacksTexts(this.say.locale)) {
      await this.#learn()
      if (load !== this.#loads) return
    }
    const { session } = this
    const missing = this.#missing()
    this.problem = missing ?? shown
    if (!session || missing) return
    try {
      await Promise.all([this.load(session), this.#dress(session)])
      await this.#loadBrandParts()
      if (load !== this.#loads) return
      this.problem = undefined
      this.emit('ready', {})
    } catch (error) {
      if (load !== this.#loads) return
      this.problem = toProblem(error)
      if (this.problem.code !== shown?.code) this.fail(this.problem)
      clearTimeout(this.#later)
      this.#later = setTimeout(() => this.#loadAgain(), loadAgainMs)
    }
    this.requestUpdate()
  }

  #missing(): Problem | undefined {
    const { apiKey, baseUrl } = this.settings
    // The page may still set them, so the problem is shown without an event.
    if (!baseUrl) return new Problem('NO_SERVER', this.say.text('noServer'))
    if (!apiKey && this.needsKey) return new Problem('NO_KEY', this.say.text('noKey'))
    if (this.needsUser && !this.session?.hasUser)
      return new Problem('NO_USER', this.say.text('noUser'))
    if (this.needsToken && !this.session?.hasToken)
      return new Problem('NO_TOKEN', this.say.text('noToken'))
    return undefined
  }

  /** Dispatches `tessera-…`, which crosses shadow roots. */
  protected emit(name: string, detail: object): void {
    const options = { detail, bubbles: true, composed: true }
    this.dispatchEvent(new CustomEvent(`tessera-${name}`, options))
  }

  protected fail({ code, message, status }: Problem): void {
    this.emit('error', { code, message, status })
  }

  /** The text for users about a problem. */
  protected explain(problem: Problem): string {
    const { say } = this
    switch (problem.code) {
      case 'NO_KEY':
      case 'NO_SERVER':
      case 'NO_USER':
      case 'NO_TOKEN':
      case 'NOT_FOUND':
        return problem.message
      case 'NO_CONNECTION':
        return say.text(navigator.onLine ? 'unreachable' : 'offline')
      case 'TOKEN_PROVIDER_FAILED':
        return say.text('tokenFailed')
      case 'USER_TOKEN_OF_ANOTHER':
        return say.text('otherToken')
      case 'INVALID_USER_TOKEN':
      case 'MISSING_USER_TOKEN':
        return say.text('badToken')
      case 'INVALID_API_KEY':
      case 'WRONG_CELL':
      case 'API_KEY_REVOKED':
        return say.text('badKey')
      default:
        return say.text(isPassing(problem) ? 'busy' : 'failed')
    }
  }

  protected override render(): TemplateResult {
    const { brand } = this
    if (this.isLoaded)
      return html`${this.content()}${brand ? this.#brandParts?.brandLine(brand, this.say) : nothing}`
    const { problem } = this
    if (!problem)
      return html`<div class="card" part="card" aria-busy="true">
        <span class="hidden">${this.say.text('loading')}</span>${this.skeleton()}
      </div>`
    const canRetry = !/^NO_(KEY|SERVER|USER|TOKEN)$/.test(problem.code)
    return html`<div class="card" part="card">
      <div class="notice" role="status">
        <p>${this.explain(problem)}</p>
        ${canRetry ? html`<button class="plain" @click=${() => this.reload()}>${this.say.text('retry')}</button>` : nothing}
      </div>
    </div>`
  }
}
