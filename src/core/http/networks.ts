/** Networks that something is allowed from, in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * A network as it is stored: without host bits, a single address with its full prefix. Null for text that
 * is none, and for an IPv4 network that is written as IPv6.
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
 * Whether an address lies in one of some networks, as a function of it. An IPv4 address may be written as
 * IPv6 (`::ffff:203.0.113.7`), as a socket that listens to both does.
 * @param networks as `readNetwork` gives them
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
