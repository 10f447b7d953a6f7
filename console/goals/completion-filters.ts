/** The filters of completions, by their names in the URL. */
export const completionFilters = { counted: { isRevoked: false }, revoked: { isRevoked: true } }
