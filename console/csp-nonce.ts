/** The nonce of this page for style elements, as the server wrote it (Content-Security-Policy). */
export const cspNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
