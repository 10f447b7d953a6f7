/** Which addresses this server calls for a partner: public ones only, whatever a name says (decisions §11). */
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

/** IPv6 is public in 2000::/3 alone; what translates or tunnels to IPv4 lies outside or has a range of its own. */
const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  const [first = 0] = address.toByteArray()
  return address.kind() === 'ipv4' || first >> 5 === 1
}

/** Names that mean this machine or its network, whatever they resolve to. */
const isLocalName = (hostname: string) =>
  /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(hostname)

/** The host of a URL without brackets and the last dot. `new URL` has read `0x7f.1` and the like by now. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Below 1024 stand services of the system (mail, SSH, databases), which a POST must not talk to. */
const isAllowedPort = ({ port }: URL) => ['', '80', '443'].includes(port) || Number(port) >= 1024

const notPublic = 'must not lead to a private, loopback or link-local address'

/** Why an address may not be reached, as far as its text tells; null when it may. */
const urlFault = (url: URL): string | null => {
  const host = hostOf(url)
  if (!isAllowedPort(url)) return 'must have port 80, 443, or 1024 and above'
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host)) return notPublic
  return null
}

/** The message says why, in words for the owner of the address. */
export class ForbiddenAddressError extends Error {
  constructor(message = 'The address is not public') {
    super(message)
  }
}

/**
 * Refuses a port below 1024 that is not of the web, and a literal address that is not public. A name is
 * looked at when it has been resolved.
 * @throws ForbiddenAddressError
 */
export const refuseForbiddenUrl = (url: URL): void => {
  const fault = urlFault(url)
  if (fault) throw new ForbiddenAddressError(fault === notPublic ? undefined : `The URL ${fault}`)
}

/** Asks name servers without occupying a thread; one that does not answer costs at most four seconds. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** All addresses of a name: by DNS, and by the system (its hosts file) where DNS knows none. */
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

/** Resolves a name for a connection; fails when any of its addresses is not public. */
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

/** Whether a name resolves to an address that is not public. One that does not resolve today may tomorrow. */
const resolvesToPrivate = async (host: string) => {
  try {
    const addresses = await addressesOf(host)
    return !addresses.every(({ address }) => isPublicAddress(address))
  } catch {
    return false
  }
}

/**
 * Checks an address that a partner wants to be called: http or https, https alone in LIVE, public, on a
 * port of the web or above 1023, without a user. `allowPrivate` is for development: any host and port, and http.
 * @param field where the address stands in the input
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
