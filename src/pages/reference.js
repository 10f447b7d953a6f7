/** Starts the REST reference. Everything that would call other hosts is off; the policy of the page refuses it, too. */
globalThis.Scalar.createApiReference('#reference', {
  url: '/docs/json',
  // Requests are sent from this page, so they go to the server that serves it.
  servers: [{ url: location.origin }],
  // Keys must not outlive the page, because every script can read the storage of the browser.
  persistAuth: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  documentDownloadType: 'none',
  authentication: { preferredSecurityScheme: 'secretKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  featuredClients: ['shell/curl', 'js/fetch', 'python/requests', 'php/curl', 'csharp/httpclient'],
})
