/** Why a request is not a valid webhook. */
export type WebhookFault =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing. */
  | 'MISSING_HEADER'
  /** The body was not signed with any of your secrets. */
  | 'WRONG_SIGNATURE'
  /** It was signed too long ago, or in the future. It may be a replay, or a clock is wrong. */
  | 'OLD_TIMESTAMP'
  /** The body is signed, but it is not an event. */
  | 'MALFORMED_BODY'

/** The request is not a valid webhook. Answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}
