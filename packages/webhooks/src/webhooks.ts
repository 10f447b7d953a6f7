/** Shared by all runtimes. The handlers of frameworks have their own entry points. */
export type { WebhookEvent, WebhookEventName, WebhookEventOf } from './event.ts'
export { WebhookError, type WebhookFault } from './fault.ts'
export type { WebhookOptions } from './receive.ts'
export { type SignedHeaders, signWebhook } from './sign.ts'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify.ts'
