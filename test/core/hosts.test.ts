import { expect, test } from 'vitest'
import { hostUrls, isOnThisMachine, wantsWriter } from '../../src/core/db/hosts.ts'

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

test('a database is on this machine if its host or the folder of its socket says so', () => {
  for (const own of ['localhost', 'u:p@127.0.0.1:5432', '[::1]', '', 'a,localhost'])
    expect(isOnThisMachine(`postgresql://${own}/d`), own).toBe(true)
  expect(isOnThisMachine('postgresql:///d?host=/run/postgresql')).toBe(true)
  expect(isOnThisMachine('postgresql:///d?host=%2Frun%2Fpostgresql')).toBe(true)
  for (const other of ['a', 'localhost.example.com', 'localhost@10.0.0.7:5432', 'a:1,b:2'])
    expect(isOnThisMachine(`postgresql://${other}/d`), other).toBe(false)
  expect(isOnThisMachine('postgresql:///d?host=10.0.0.7')).toBe(false)
})
