const browsers = [
  ['Edge', /Edg[A-Za-z]{0,3}\/(\d{1,4})/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d{1,4})/],
] as const

const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** `Firefox 140, Windows` from a User-Agent header; the start of the header if the browser is unknown. */
export const browserOf = (userAgent: string | null): string | null => {
  if (!userAgent) return null
  const [name, pattern] = browsers.find(([, pattern]) => pattern.test(userAgent)) ?? []
  if (!name) return userAgent.slice(0, 60)
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const browser = `${name} ${pattern.exec(userAgent)?.[1]}`
  return system ? `${browser}, ${system}` : browser
}
