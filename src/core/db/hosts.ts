/** Several hosts in one URL, as libpq reads it: `postgresql://user@a:5432,b:5432/tessera`. */

const urlParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** One URL per host. */
export const hostUrls = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = urlParts.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

const ownHost = /^(localhost|127(\.\d+){3}|\[::1\]|)(:\d+)?$/

/** Whether a host of the URL is this machine: a loopback name or address, or the folder of a socket. */
export const isOnThisMachine = (url: string): boolean => {
  const [, , hosts = '', after = ''] = urlParts.exec(url) ?? []
  const isAddress = /[?&]host=(?!\/|%2F)/i.test(after)
  return !isAddress && hosts.split(',').some((host) => ownHost.test(host))
}

/** Whether connections need a server that accepts writes. A single name can also lead to several servers. */
export const wantsWriter = (urls: string[]) =>
  urls.length > 1 || /[?&]target_session_attrs=(read-write|primary)\b/.test(urls[0] as string)
