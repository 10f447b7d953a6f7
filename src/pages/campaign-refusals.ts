/** What the page of a campaign says about a code that was refused. */
import { type ErrorCode, errorTable } from '../kit/errors.ts'

/** For a visitor without a valid token. */
export const newLink = {
  title: 'Please open this page again',
  text: 'Follow the link in the app or on the website that brought you here. Your code was not used.',
}

/** The message for a visitor whose code was refused. */
export const refusals: Partial<Record<ErrorCode, { title: string; text: string }>> = {
  INVALID_CODE: {
    title: 'We do not know this code',
    text: 'Check it for typing mistakes. After the hyphen there is no O and no 0, no I, no 1 and no L.',
  },
  CODE_REDEEMED: {
    title: 'This code has been redeemed already',
    text: 'Each code works once.',
  },
  CODE_EXPIRED: { title: 'This code has expired', text: 'Its time to be redeemed is over.' },
  CODE_REVOKED: { title: 'This code is no longer valid', text: 'It was withdrawn.' },
  INVALID_WIN_CODE: {
    title: 'This win code is not valid',
    text: 'Check it, and your user id: only who won a prize can redeem it, and only for a while.',
  },
  WIN_CODE_REDEEMED: {
    title: 'This prize has been redeemed already',
    text: 'Each win code works once.',
  },
  CAMPAIGN_NOT_ACTIVE: {
    title: 'The campaign takes no codes right now',
    text: 'Keep your code, and look again later.',
  },
  USER_BLOCKED: {
    title: 'Your account is blocked',
    text: 'Your code was not used. Please contact support.',
  },
  MISSING_USER_TOKEN: newLink,
  INVALID_USER_TOKEN: newLink,
  USER_TOKEN_OF_ANOTHER: newLink,
  RIGHT_REQUIRED: newLink,
  VALIDATION_FAILED: {
    title: 'Something is missing',
    text: 'Enter your user id and your code.',
  },
}

/** The message for a refused code. */
export const refusalOf = ({
  code,
  retryAfter,
}: {
  code: ErrorCode
  retryAfter?: number | null
}) => {
  if (code !== 'RATE_LIMITED')
    return refusals[code] ?? { title: errorTable[code].message, text: 'Please try again.' }
  const minutes = Math.ceil((retryAfter ?? 60) / 60)
  return {
    title: 'Too many wrong codes',
    text: `For safety, codes are taken from here again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  }
}
