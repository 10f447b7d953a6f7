/**
 * The cookie of the console (docs/decisions/console-session-cookie.md). It counts only for requests from pages of
 * this server, and only without another credential.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { keyHeader, type Sent } from '../access/credentials.ts'
import type { Config } from '../config/config.ts'

/** The header with which the console marks its requests. Pages of other origins cannot send it. */
export const consoleHeader = 'x-tessera-console'

type Site = Pick<Config, 'publicUrl'>

const isHttps = ({ publicUrl }: Site) => publicUrl.startsWith('https:')

/**
 * Browsers accept a cookie with the prefix `__Host-` only over https and from this very host, so no neighboring host
 * can set one.
 */
const nameOf = (site: Site) => `${isHttps(site) ? '__Host-' : ''}tessera-console`

/** The longest that browsers keep a cookie. The sign-in ends earlier. */
const longestSeconds = 400 * 24 * 3600

const writtenCookie = (site: Site, value: string, seconds: number) =>
  `${nameOf(site)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isHttps(site) ? '; Secure' : ''}`

/** `Set-Cookie` for a session. */
export const cookieOf = (site: Site, token: string): string =>
  writtenCookie(site, token, longestSeconds)

/** `Set-Cookie` that removes it. */
export const endedCookie = (site: Site): string => writtenCookie(site, '', 0)

const readCookie = ({ cookie = '' }: IncomingHttpHeaders, site: Site): string | undefined => {
  const start = `${nameOf(site)}=`
  const found = cookie.split(';').find((item) => item.trimStart().startsWith(start))
  return found?.trim().slice(start.length) || undefined
}

/**
 * Whether an `Origin` is that of `PUBLIC_URL`, or of the host that was asked. Over https, only https origins are
 * accepted.
 */
const isOwnOrigin = (origin: string, host: string | undefined, site: Site): boolean => {
  if (origin === new URL(site.publicUrl).origin) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  return from.host === host && (!isHttps(site) || from.protocol === 'https:')
}

/** Whether a page of this server has sent a request. All headers of the browser must agree. */
export const isOfConsole = (headers: IncomingHttpHeaders, site: Site): boolean => {
  const { origin, host } = headers
  const from = headers['sec-fetch-site']
  return (
    headers[consoleHeader] !== undefined &&
    (from === undefined || from === 'same-origin') &&
    (origin === undefined || isOwnOrigin(origin, host, site))
  )
}

const hasCredential = (fields: Sent['fields']): boolean =>
  ['authorization', keyHeader.public, keyHeader.secret].some((name) => fields[name] !== undefined)

/** The session of a request; undefined if it has none, or the cookie does not count. */
export const sessionOf = (headers: IncomingHttpHeaders, site: Site): string | undefined =>
  isOfConsole(headers, site) && !hasCredential(headers) ? readCookie(headers, site) : undefined

/**
 * The session of a WebSocket. Pages cannot set its headers, so they mark it by a connection parameter; and browsers
 * always send the origin.
 * @param fields the headers and the connection parameters
 */
export const sessionOfSocket = (
  headers: IncomingHttpHeaders,
  fields: Sent['fields'],
  site: Site,
): string | undefined =>
  fields[consoleHeader] !== undefined &&
  headers.origin !== undefined &&
  isOwnOrigin(headers.origin, headers.host, site) &&
  !hasCredential(fields)
    ? readCookie(headers, site)
    : undefined
