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
