/** Sentences about a refused field, by what the server says after its name. The first one that matches is shown. */
export const faultTexts: readonly (readonly [says: RegExp, (label: string) => string])[] = [
  [
    /^(is required|must not be (empty|blank)|must be a (string|text))$/,
    (of) => `${of} is required`,
  ],
  [/^must be a (moment|date)( in ISO 8601)?$/, (of) => `${of} must be a date and a time`],
  [/^must be (one of|DAY, WEEK or MONTH)/, (of) => `${of} must be one of the options`],
  [/^must be an integer/, (of) => `${of} must be a whole number`],
  [/^must be (an object|a list)/, (of) => `${of} is not valid`],
  [
    /NUL characters|lone surrogates|control characters/,
    (of) => `${of} has a character that cannot be saved. Type the text instead of pasting it`,
  ],
  [
    /lower-case letters and digits|of a–z, 0–9/,
    (of) => `${of} may have small letters, digits and single hyphens only`,
  ],
  [/^must be an https URL/, (of) => `${of} must be an address that begins with https://`],
  [/^must be an http or https URL/, (of) => `${of} must be an address that begins with http`],
  [/^must be a (UUID|JWKS\b.*)$/, (of) => `${of} is not valid`],
]

export const refusalTexts = {
  notValid: 'Something that you entered is not valid',
  notFound: 'What you asked for is not valid',
} as const
