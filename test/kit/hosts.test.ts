import { expect, test } from 'vitest'
import { hostUrls, wantsWriter } from '../../src/kit/config/setting-text.ts'

test('a URL with several hosts is split into one for each', () => {
  expect(hostUrls('postgresql://u:p%40@a:1,[::1]:2,c/d?sslmode=disable&x=y,z')).toEqual([
    'postgresql://u:p%40@a:1/d?sslmode=disable&x=y,z',
    'postgresql://u:p%40@[::1]:2/d?sslmode=disable&x=y,z',
    'postgresql://u:p%40@c/d?sslmode=disable&x=y,z',
  ])
  expect(hostUrls('postgres://host/d')).toEqual(['postgres://host/d'])
})

test('a writable server is required for several hosts, or if the URL says so', () => {
  const asks = (url: string) => wantsWriter(hostUrls(url))
  expect(asks('postgresql://a/d')).toBe(false)
  expect(asks('postgresql://a/d?target_session_attrs=any')).toBe(false)
  expect(asks('postgresql://a/d?x=y&target_session_attrs=read-write')).toBe(true)
  expect(asks('postgresql://a,b/d')).toBe(true)
})
