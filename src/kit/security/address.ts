/** Restricts calls for partners to public addresses, whatever a name resolves to. */
import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { refused } from '../errors.ts'
import type { Tenant } from '../tenant.ts'

/** A URL to which a path can be appended. */
export const withoutEndSlashes = (url: string): string => {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}

/** Only 2000::/3 is public in IPv6. Translations and tunnels to IPv4 are outside of it or have their own ranges. */
const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  const [first = 0] = address.toByteArray()
  return address.kind() === 'ipv4' || first >> 5 === 1
}

/** Names that denote this machine or its network, whatever they resolve to. */
const isLocalName = (hostname: string) =>
  /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(hostname)

/** The host of a URL without brackets and the trailing dot. `new URL` has already normalized `0x7f.1` and the like. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Whether a URL names this machine itself. */
export const isLoopback = (url: URL): boolean => {
  const host = hostOf(url)
  return (
    host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
  )
}

/**
 * Whether a URL may be called because it names this machine. Only in development, where nobody else reaches the server.
 */
export const mayBeLoopback = (url: string, { production }: { production: boolean }): boolean =>
  !production && isLoopback(new URL(url))

/** Ports below 1024 belong to system services (mail, SSH), which a POST must not reach. */
const isAllowedPort = ({ port }: URL) => ['', '80', '443'].includes(port) || Number(port) >= 1024

const notPublic = 'must not lead to a private, loopback or link-local address'

/** Why a URL is refused before its name is resolved; null if it is not. */
const urlFault = (url: URL): string | null => {
  const host = hostOf(url)
  if (!isAllowedPort(url)) return 'must have port 80, 443, or 1024 and above'
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host)) return notPublic
  return null
}

/** The message gives the reason to the owner of the address. */
export class ForbiddenAddressError extends Error {
  constructor(message = 'The address is not public') {
    super(message)
  }
}

/**
 * Refuses ports below 1024 except those of the web, and literal addresses that are not public. Names are checked
 * after they are resolved.
 * @throws ForbiddenAddressError
 */
export const refuseForbiddenUrl = (url: URL): void => {
  const fault = urlFault(url)
  if (fault) throw new ForbiddenAddressError(fault === notPublic ? undefined : `The URL ${fault}`)
}

/** Queries name servers without blocking a thread. Each gets two tries, the first of two seconds. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** All addresses of a name: from DNS, or from the system (its hosts file) if DNS has none. */
const addressesOf = async (hostname: string): Promise<LookupAddress[]> => {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const found = [v4, v6].flatMap((result, i) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: i === 0 ? 4 : 6 }))
      : [],
  )
  if (found.length > 0) return found
  for (const result of [v4, v6])
    if (result.status === 'rejected' && result.reason?.code === 'ETIMEOUT') throw result.reason
  return lookup(hostname, { all: true })
}

/** Resolves a name for a connection. Fails if any of its addresses is not public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  addressesOf(hostname).then(
    (addresses) => {
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        callback(new ForbiddenAddressError(), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    },
    (error: NodeJS.ErrnoException) => callback(error, ''),
  )
}

/** Whether a name resolves to an address that is not public. A name that does not resolve passes: it may later. */
const resolvesToPrivate = async (host: string) => {
  try {
    const addresses = await addressesOf(host)
    return !addresses.every(({ address }) => isPublicAddress(address))
  } catch {
    return false
  }
}

/**
 * Validates a partner's callback URL: https (in TEST also http), public, on a web port or one above 1023, and
 * without credentials. `allowPrivate` is for development: any host and port, and http.
 * @param field the field of the input
 * @throws TesseraError VALIDATION_FAILED
 */
export const checkOutgoingUrl = async (
  text: string,
  { environment }: Pick<Tenant, 'environment'>,
  allowPrivate: boolean,
  field = 'url',
): Promise<string> => {
  const url = new URL(text)
  const fault = async () => {
    if (url.protocol !== 'https:' && environment === 'LIVE' && !allowPrivate)
      return 'must be an https URL in LIVE'
    if (url.username || url.password) return 'must not contain a user or a password'
    if (allowPrivate) return null
    return urlFault(url) ?? ((await resolvesToPrivate(hostOf(url))) ? notPublic : null)
  }
  const message = await fault()
  if (message) throw refused(field, message)
  url.hash = ''
  return url.href
}
