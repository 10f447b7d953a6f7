/** What the page of a campaign says about a code that was refused. */
import type { ErrorCode } from '../kit/errors.ts'
import type { Say, TextKey } from './texts/page-texts.ts'

type Refusal = readonly [title: TextKey, text: TextKey]

/** For a visitor without a valid token. */
const newLink: Refusal = ['newLink', 'newLinkText']

const refusals: Partial<Record<ErrorCode, Refusal>> = {
  INVALID_CODE: ['unknownCode', 'unknownCodeText'],
  CODE_REDEEMED: ['usedCode', 'usedCodeText'],
  CODE_EXPIRED: ['oldCode', 'oldCodeText'],
  CODE_REVOKED: ['revokedCode', 'revokedCodeText'],
  INVALID_WIN_CODE: ['wrongWinCode', 'wrongWinCodeText'],
  WIN_CODE_REDEEMED: ['usedWinCode', 'usedWinCodeText'],
  CAMPAIGN_NOT_ACTIVE: ['notNow', 'notNowText'],
  USER_BLOCKED: ['blocked', 'blockedText'],
  MISSING_USER_TOKEN: newLink,
  INVALID_USER_TOKEN: newLink,
  USER_TOKEN_OF_ANOTHER: newLink,
  RIGHT_REQUIRED: newLink,
  VALIDATION_FAILED: ['missing', 'missingText'],
}

/** Whether an error is about the identity of the visitor. */
export const needsNewLink = (code: ErrorCode): boolean => refusals[code] === newLink

/** The message for a refused code. */
export const refusalOf = (
  { code, retryAfter }: { code: ErrorCode; retryAfter?: number | null },
  say: Say,
) => {
  if (code === 'RATE_LIMITED')
    return {
      title: say.text('tooMany'),
      text: say.counted('tooMany', Math.ceil((retryAfter ?? 60) / 60)),
    }
  const [title, text] = refusals[code] ?? (['notRedeemed', 'notRedeemedText'] as const)
  return { title: say.text(title), text: say.text(text) }
}
