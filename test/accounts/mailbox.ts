/** A mail server on this machine, and the mails that it received. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** The text of a mail as a person sees it. */
const decoded = (raw: string) => {
  const [, body = ''] = /\r\n\r\n([\s\S]*)$/.exec(raw) ?? []
  return /^content-transfer-encoding: quoted-printable/im.test(raw)
    ? body
        .replaceAll('=\r\n', '')
        .replaceAll(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : body
}

type ReceivedMail = { to: string[]; from: string; raw: string; text: string }

export const openMailbox = async () => {
  const mails: ReceivedMail[] = []
  /** The status with which it refuses a recipient; undefined accepts the mail. */
  let refusal: number | undefined
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_, __, done) =>
      done(refusal ? Object.assign(new Error('no'), { responseCode: refusal }) : undefined),
    onData: async (stream, { envelope: { rcptTo, mailFrom } }, done) => {
      const raw = await text(stream)
      mails.push({
        to: rcptTo.map(({ address }) => address),
        from: mailFrom ? mailFrom.address : '',
        raw,
        text: decoded(raw),
      })
      done()
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  return {
    mails,
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    refuse: (code: number | undefined) => {
      refusal = code
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The tokens in the links of some mails. */
export const tokensOf = (mails: ReceivedMail[]): string[] =>
  mails.flatMap((mail) => /#token=(\w+)/.exec(mail.text)?.[1] ?? [])
