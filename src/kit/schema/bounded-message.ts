/** Characters of a text before and after the part that is left out. */
const headLength = 150
const tailLength = 150

/** A text that repeats what was sent, which may be of any length. */
export const shortened = (text: string): string =>
  text.length > headLength + tailLength
    ? `${text.slice(0, headLength)} … ${text.slice(-tailLength)}`.toWellFormed()
    : text
