/** Fields that are null only together with an error at their path. */

/** The end of the description of a field that is null only together with an error. */
export const nullWithErrorOnly = 'Null only with an error at its path.'

/** The end of the description of a lookup that can be refused. */
export const nullIfNotFound = 'Null if not found, or with an error at its path.'

/** The options of such a field, with its other extensions. */
export const nullWithError = (extensions: object) => ({
  nullable: true as const,
  extensions: { ...extensions, isNullWithErrorOnly: true },
})

/**
 * Options of a field with a value for everyone who may read it. If it is refused, it alone is null and has the error,
 * and the rest of the answer stays. REST, which answers errors alone, and the console never see this null.
 */
export const orError = (description: string) => ({
  description: `${description} ${nullWithErrorOnly}`,
  ...nullWithError({ description }),
})
