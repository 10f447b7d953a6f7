/** Sends mail by SMTP. The library is loaded with the first mail. */

/** A mail in plain text. */
export type MailMessage = { to: string; subject: string; text: string }

/** A mail error: a refusal by the server, or a failed connection. */
type MailFault = {
  /** Such as ECONNECTION, ETIMEDOUT or EENVELOPE. */
  code: string
  /** The SMTP reply code; undefined if the server did not answer. */
  answered: number | undefined
  /** Whether the server will never take this mail. */
  isFinal: boolean
}

/** The fault of an error that `send` threw. It has neither the text nor the recipient. */
export const mailFaultOf = (error: unknown): MailFault => {
  const { code = 'unknown', responseCode: answered } = error as {
    code?: string
    responseCode?: number
  }
  const isFinal = code === 'EENVELOPE' && answered !== undefined && answered >= 500
  return { code, answered, isFinal }
}

const timeoutMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Opens a mailer, which connects for each mail. */
export const openMailer = async ({ smtpUrl, from }: { smtpUrl: string; from: string }) => {
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  for (const [name, value] of Object.entries(timeoutMs))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(value))
  const transport = createTransport(url.href)
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return {
    send: async ({ to, subject, text }: MailMessage): Promise<void> => {
      // An object, so that no part of an address is read as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers })
    },
    close: () => transport.close(),
  }
}

export type Mailer = Awaited<ReturnType<typeof openMailer>>
