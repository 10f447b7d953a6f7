/** The elements and their files. A file is loaded when its element first appears on the page. */

type ElementClass = CustomElementConstructor

const files: Record<string, () => Promise<ElementClass>> = {
  'tessera-wheel': async () => (await import('./wheel.ts')).WheelElement,
  'tessera-slots': async () => (await import('./slots.ts')).SlotsElement,
  'tessera-boxes': async () => (await import('./boxes.ts')).BoxesElement,
  'tessera-balance': async () => (await import('./balance.ts')).BalanceElement,
  'tessera-leaderboard': async () => (await import('./leaderboard.ts')).LeaderboardElement,
  'tessera-history': async () => (await import('./history.ts')).HistoryElement,
  'tessera-offers': async () => (await import('./offers.ts')).OffersElement,
  'tessera-goals': async () => (await import('./goals.ts')).GoalsElement,
  'tessera-badges': async () => (await import('./badges.ts')).BadgesElement,
  'tessera-streak': async () => (await import('./streak.ts')).StreakElement,
  'tessera-shop': async () => (await import('./shop.ts')).ShopElement,
  'tessera-rewards': async () => (await import('./rewards.ts')).RewardsElement,
  'tessera-campaign': async () => (await import('./campaign.ts')).CampaignElement,
  'tessera-lottery': async () => (await import('./lottery.ts')).LotteryElement,
  'tessera-match': async () => (await import('./match.ts')).MatchElement,
}

const loading = new Map<string, Promise<void>>()

/** Defines an element once. Resolves when it is defined; rejects if its file cannot be loaded. */
export const define = (tag: string): Promise<void> => {
  const file = files[tag]
  if (!file || customElements.get(tag)) return Promise.resolve()
  const running = loading.get(tag)
  if (running) return running
  const started = file().then((element) => {
    if (!customElements.get(tag)) customElements.define(tag, element)
  })
  loading.set(tag, started)
  // Loading is retried for the next such element, and when the browser is online again.
  started.catch(() => loading.delete(tag))
  return started
}

export const tags: string[] = Object.keys(files)
const selector = tags.map((tag) => `${tag}:not(:defined)`).join(',')

const defineIn = (root: ParentNode): void => {
  for (const { localName } of root.querySelectorAll(selector))
    define(localName).catch(() => addEventListener('online', () => defineIn(root), { once: true }))
}

/** Defines the elements in a document or a shadow root, including those that are added later. */
export const observe = (root: Document | ShadowRoot): void => {
  defineIn(root)
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => addedNodes.length > 0)) defineIn(root)
  }).observe(root, { childList: true, subtree: true })
}
