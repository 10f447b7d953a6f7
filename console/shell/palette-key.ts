/** The keys that open the palette on the system of the browser. */
export const paletteKey = (): string =>
  /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'
