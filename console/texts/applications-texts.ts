export const applicationsTexts = {
  title: 'Applications',
  description:
    'Your websites, apps and servers. Each API key belongs to one of them. Settings apply in Live and in Test.',
  name: 'Name',
  nameHint: 'What it is: a website, an app, a server.',
  status: 'Status',
  created: 'Created',
  publicProfiles: 'User profiles for public keys',
  publicProfilesHint:
    'What the REST routes of user journeys show to callers with a public key. GraphQL never shows them personal data.',
  publicProfilesChoices: {
    FULL: { label: 'Full', hint: 'Everything that is known about a user.' },
    MASKED: {
      label: 'Masked',
      hint: 'E-mail address, phone, tags and metadata only if a public key has set them. What your server has set is hidden.',
    },
  },
  userTokens: 'User tokens',
  userTokensHint: 'Whether pages must prove which user is signed in.',
  userTokensChoices: {
    OPTIONAL: {
      label: 'Optional',
      hint: 'A public key alone can act for any user. With a token, it can act only for the user of the token.',
    },
    REQUIRED: {
      label: 'Required',
      hint: 'A public key cannot act for a user without a token. Pages that send no token stop working for users.',
    },
  },
  signer: 'Who signs user tokens',
  signerHint: 'Your identity provider can sign them with its own keys.',
  signerChoices: {
    TESSERA: { label: 'Tessera', hint: 'Your server requests each token from us.' },
    ADDRESS: {
      label: 'Tessera, and your keys from a URL',
      hint: 'We pick up new keys within ten minutes.',
    },
    KEYS: {
      label: 'Tessera, and your keys entered here',
      hint: 'If your keys have no public URL.',
    },
  },
  signerNames: {
    TESSERA: 'Tessera',
    ADDRESS: 'Tessera and your URL',
    KEYS: 'Tessera and your keys',
  },
  address: 'URL of the keys',
  addressHint: 'A public https URL that returns a JWKS.',
  keys: 'Public keys',
  keysHint:
    'A JWKS with up to ten public keys: RSA with at least 2,048 bits, P-256, P-384, P-521 or Ed25519.',
  notJson: 'This is not valid JSON.',
  create: 'Create an application',
  createdDone: 'Application created. Next, create a key for it under API keys.',
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  saved: 'Application saved. Its keys use the new settings within five seconds.',
  deactivate: 'Deactivate',
  deactivateExplanation:
    'All keys of this application stop working within five seconds, in Live and in Test, until you activate it again.',
  deactivated: 'Application deactivated. Its keys no longer work.',
  activate: 'Activate',
  activated: 'Application activated. Its keys work again.',
  empty: 'No applications yet. Create one to create API keys.',
} as const
