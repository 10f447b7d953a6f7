/** Allowed networks in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

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
