/** Several hosts in one URL, as libpq reads it: `postgresql://user@a:5432,b:5432/tessera`. */

const urlParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** A URL for each host. */
export const hostUrls = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = urlParts.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** Whether it matters which server answers: also a single name can lead to several. */
export const wantsWriter = (urls: string[]) =>
  urls.length > 1 || /[?&]target_session_attrs=(read-write|primary)\b/.test(urls[0] as string)
