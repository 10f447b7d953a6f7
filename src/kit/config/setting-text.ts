/** Parsers of settings from environment variables, with their error messages. */
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { withoutEndSlashes } from '../security/address.ts'

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

/** `off`, `on`, or the limits to change: `secret=500,public=50`. */
export const limitsOf = <K extends string>(defaults: Record<K, number>) => {
  const kinds = Object.keys(defaults)
  const example = kinds.map((kind) => `${kind}=${defaults[kind as K] * 5}`).join(',')
  return z
    .string()
    .default('on')
    .transform((text, ctx) => {
      const limits = { ...defaults }
      if (text === 'off') return null
      if (text === 'on') return limits
      for (const part of text.split(',')) {
        const [kind = '', value = '', ...rest] = part.trim().split('=')
        if (!kinds.includes(kind) || !/^[1-9]\d{0,6}$/.test(value) || rest.length > 0) {
          ctx.addIssue(`must be off, on, or limits like ${example}`)
          return z.NEVER
        }
        limits[kind as K] = Number(value)
      }
      return limits
    })
}

const isAddress = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text)

/** A limit, or `off` for null. */
export const limitOrOff = z.string().transform((text, ctx) => {
  if (text === 'off') return null
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  ctx.addIssue('must be off or a whole number from 1 to 999999')
  return z.NEVER
})

/** The number of proxies in front (0 for none), or their addresses: `1`, `10.0.0.0/8,192.0.2.7`. */
export const trustProxy = z.string().transform((text, ctx) => {
  if (/^\d$/.test(text)) return Number(text)
  const addresses = text.split(',').map((part) => part.trim())
  if (addresses.every(isAddress)) return addresses
  ctx.addIssue('must be a number of proxies, or addresses like 10.0.0.0/8,192.0.2.7')
  return z.NEVER
})

/** Seconds before each attempt, comma-separated: `0,5,300`. */
export const retrySchedule = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6}){0,19}$/, 'must be 1 to 20 whole numbers of seconds, like 0,5,300')
  .transform((text) => text.split(',').map(Number))

export const keyText = z.string().min(32, 'must have at least 32 characters, of good randomness')

/** Versions of the master key. The first one seals: `2:new key,1:old key`. */
export const masterKeys = z.string().transform((text, ctx) => {
  const keys = text.split(/,(?=\d+:)/).map((part) => {
    const [, version, key] = /^([1-9]\d{0,8}):(.{32,})$/.exec(part) ?? []
    return { version: Number(version), text: key ?? '' }
  })
  const isGood = keys.every(({ text }) => text !== '')
  if (isGood && new Set(keys.map(({ version }) => version)).size === keys.length)
    return keys as [(typeof keys)[0], ...typeof keys]
  ctx.addIssue(
    'must be versions and keys of at least 32 characters like 2:NEW,1:OLD, each version once',
  )
  return z.NEVER
})

/** Origins of web pages: `https://app.example.com,http://localhost:3000`. */
export const origins = z.string().transform((text, ctx) => {
  const found = text.split(',').map((part) => withoutEndSlashes(part.trim()))
  if (found.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin))
    return found
  ctx.addIssue('must be origins like https://app.example.com,http://localhost:3000')
  return z.NEVER
})

/** A whole number within bounds. */
export const whole = (min: number, max: number) => {
  const message = `must be a whole number, ${min} to ${max}`
  return z.coerce.number({ error: message }).int(message).min(min, message).max(max, message)
}

/** A URL with one of these protocols. */
export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL like ${example}` })

/** The address of PostgreSQL, or of several servers: `postgresql://user@a:5432,b:5432/tessera`. */
export const databaseUrl = z.string().transform((text, ctx) => {
  if (!/^postgres(ql)?:/.test(text) || !hostUrls(text).every((item) => URL.canParse(item)))
    ctx.addIssue('must be a URL like postgresql://user:password@host:5432/tessera')
  else if (/[?&]target_session_attrs=(?!any\b|read-write\b|primary\b)/.test(text))
    ctx.addIssue('target_session_attrs must be read-write, primary or any: the service writes')
  return text
})

/** Where vulnerabilities are reported: a URL or an e-mail address. */
export const contact = z.string().transform((text, ctx) => {
  if (z.email().safeParse(text).success) return `mailto:${text}`
  const isUrl = z.url({ protocol: /^(https|mailto)$/ }).safeParse(text).success
  if (isUrl && !/\s/.test(text)) return text
  ctx.addIssue('must be an e-mail address, or a URL like https://tessera.example.com/security')
  return z.NEVER
})

/** A sender of mail: an address, or a name and an address like `Tessera <no-reply@example.com>`. */
export const mailbox = z.string().refine((text) => {
  const [, name = '', named] = /^([^<>"\r\n]*)<([^<>]+)>$/.exec(text) ?? []
  return z.email().safeParse(named ?? text).success && name.length <= 100
}, 'must be an e-mail address like no-reply@example.com, or Tessera <no-reply@example.com>')

/** A port to listen on; 0 lets the system choose. */
export const port = z.coerce
  .number({ error: 'must be a port, 0 to 65535' })
  .int()
  .min(0, 'must be a port, 0 to 65535')
  .max(65535, 'must be a port, 0 to 65535')
