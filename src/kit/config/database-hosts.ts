/** Several hosts in one URL, as libpq reads it: `postgresql://user@a:5432,b:5432/tessera`. */

const urlParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** One URL per host. */
export const hostUrls = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = urlParts.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** Whether connections need a server that accepts writes. A single name can also lead to several servers. */
export const wantsWriter = (urls: string[]) =>
  urls.length > 1 || /[?&]target_session_attrs=(read-write|primary)\b/.test(urls[0] as string)
