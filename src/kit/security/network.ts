import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The network that counts as one caller where callers are counted by address: the address itself in IPv4, its
 * /64 in IPv6, because one host has all addresses of a /64.
 */
export const networkOf = (ip: string): string => {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  const [a = 0, b = 0, c = 0, d = 0] = (address as ipaddr.IPv6).parts
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`
}

/**
 * The coarse network of an address, which shows a person where they were without identifying anybody: /24 in IPv4,
 * /48 in IPv6.
 */
export const coarseNetworkOf = (ip: string): string | null => {
  if (!ipaddr.isValid(ip)) return null
  const address = ipaddr.process(ip)
  const [kind, bits] = address.kind() === 'ipv4' ? [ipaddr.IPv4, 24] : [ipaddr.IPv6, 48]
  return `${kind.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

/**
 * A network as stored: without host bits, and with the full prefix for a single address. Null for invalid text
 * and for an IPv4 network in IPv6 notation.
 */
export const readNetwork = (text: string): string | null => {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  const longest = version === 4 ? 32 : 128
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (version === 0 || address.includes('%') || more.length > 0) return null
  if (prefix < 0 || prefix > longest || ipaddr.parse(address).range() === 'ipv4Mapped') return null
  const { IPv4, IPv6 } = ipaddr
  const network = (version === 4 ? IPv4 : IPv6).networkAddressFromCIDR(`${address}/${prefix}`)
  return `${network}/${prefix}`
}

/**
 * Returns a function that checks whether an address is in one of the networks. IPv4 addresses may be in IPv6
 * notation (`::ffff:203.0.113.7`), as dual-stack sockets report them.
 * @param networks as returned by `readNetwork`
 */
export const networkFilter = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const [plain = ''] = address.split('%')
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
