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
