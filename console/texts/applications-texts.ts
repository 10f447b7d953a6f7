export const applicationsTexts = {
  title: 'Applications',
  description:
    'Your websites, apps and servers. Each API key belongs to one of them. Settings apply in Live and in Test.',
  name: 'Name',
  nameHint: 'What it is: a website, an app, a server.',
  status: 'Status',
  created: 'Created',
  publicProfiles: 'Profiles for public keys',
  publicProfilesHint:
    'What the REST routes of user journeys show to whoever has a public key. GraphQL shows them no personal data.',
  publicProfilesChoices: {
    FULL: { label: 'Full', hint: 'All that is known about a user.' },
    MASKED: {
      label: 'Masked',
      hint: 'E-mail address, phone, tags and metadata only if a public key has set them. What your server has set is hidden.',
    },
  },
  userTokens: 'User tokens',
  userTokensHint: 'Whether a page must prove which user is signed in there.',
  userTokensChoices: {
    OPTIONAL: {
      label: 'Optional',
      hint: 'A public key alone may act for any user. With a token, it may only act for its user.',
    },
    REQUIRED: {
      label: 'Required',
      hint: 'A public key alone may act for no user. Pages that send no token stop working for users.',
    },
  },
  signer: 'Who signs user tokens',
  signerHint: 'If you have an identity provider, it can sign them with keys of its own.',
  signerChoices: {
    TESSERA: { label: 'Tessera', hint: 'Your server asks for each token.' },
    ADDRESS: {
      label: 'Also your keys, from an address',
      hint: 'Keys that you replace there are known here within ten minutes.',
    },
    KEYS: {
      label: 'Also your keys, entered here',
      hint: 'For a signer that publishes no address.',
    },
  },
  signerNames: { TESSERA: 'Tessera', ADDRESS: 'Also an address', KEYS: 'Also your keys' },
  address: 'Address of the keys',
  addressHint: 'A public https address that answers with a JWKS.',
  keys: 'Public keys',
  keysHint:
    'A JWKS with up to ten keys: RSA of 2048 bits at least, P-256, P-384, P-521 or Ed25519. Never a private key.',
  notJson: 'This is not JSON.',
  create: 'Create an application',
  createdDone: 'The application was created. Create a key for it under API keys.',
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  saved: 'The application was saved. Its keys follow within five seconds.',
  deactivate: 'Deactivate',
  deactivateExplanation:
    'All keys of this application are refused within five seconds, in Live and in Test, until you activate it again.',
  deactivated: 'The application is inactive. Its keys are refused.',
  activate: 'Activate',
  activated: 'The application is active. Its keys are accepted.',
  empty: 'There are no applications yet. A key needs one.',
} as const
