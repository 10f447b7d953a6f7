/** Guessing passwords: in bursts, from many addresses, and with RATE_LIMIT=off, as this server runs. */
import { expect, test } from 'vitest'
import { attack, hostileServer, times } from './hostile-server.ts'

const server = hostileServer({ TRUST_PROXY: '127.0.0.0/8', SIGN_IN_LIMIT: '40' })

const signIn = (ip: string, password = 'a wrong password') => {
  const { email } = server().demo.developer
  return server().post('/dashboard/auth/login', { email, password }, { 'x-forwarded-for': ip })
}

const countOf = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

test('of 60 concurrent guesses from one network, five are checked', () =>
  attack(server, async () => {
    const answers = await Promise.all(times(60, (i) => signIn(`2001:db8:1:1::${i + 1}`)))
    expect(countOf(answers, 401)).toBe(5)
    expect(countOf(answers, 401) + countOf(answers, 429)).toBe(60)
    const codes = new Set(answers.map(({ body }) => body.errorCode))
    // The account is delayed for the network, and the network has a separate limit.
    expect(codes).toEqual(new Set(['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED']))
  }))

test('a flood from many networks neither blocks the server nor locks the account', () =>
  attack(server, async () => {
    const { password } = server().demo.developer
    expect((await signIn('192.0.2.1', password)).status).toBe(200)
    const answers: Awaited<ReturnType<typeof signIn>>[] = []
    for (let wave = 0; wave < 8; wave++)
      answers.push(
        ...(await Promise.all(times(20, (i) => signIn(`2001:db8:${wave + 2}:${i + 1}::1`)))),
      )
    // Strangers have 100 tries in an hour. The owner was one of them at first.
    expect(countOf(answers, 401)).toBeLessThan(100)
    for (const { status } of answers) expect([401, 429, 503]).toContain(status)
    expect((await signIn('192.0.2.1', password)).status).toBe(200)
  }))
