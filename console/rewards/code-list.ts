/** Lists of codes, as files and pasted text have them. */

/** A code, and its line in the list, from 1. */
export type ListedCode = { code: string; line: number }

/** The largest length of a code. */
const maxLength = 255

/** The cells of a line of a CSV file. Quotes are taken off. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let n = 0; n < line.length; n++) {
    const letter = line[n]
    if (letter === '"' && isQuoted && line[n + 1] === '"') cell += line[++n]
    else if (letter === '"') isQuoted = !isQuoted
    else if (letter === separator && !isQuoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += letter
  }
  return [...cells, cell.trim()]
}

/** What separates the cells of a table: what its first line has. */
const separatorOf = (line: string) => [';', '\t', ','].find((item) => line.includes(item)) ?? ','

const headings = /^(codes?|coupons?|coupon[ _-]?codes?|vouchers?|voucher[ _-]?codes?|gutscheine?)$/i

export type CodeTable = {
  /** The names of the columns, or undefined if there are no headings. */
  headings: string[] | undefined
  rows: { cells: string[]; line: number }[]
  /** The number of columns. */
  width: number
  /** The column that has the codes, probably. */
  column: number
}

/** Reads a list. Lines without text are left out. Only a table has columns: elsewhere, a line is a code. */
export const readTable = (text: string, isTable: boolean): CodeTable => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const separator = separatorOf(lines.find((line) => line.trim() !== '') ?? '')
  const all = lines.flatMap((line, n) =>
    line.trim() === ''
      ? []
      : { line: n + 1, cells: isTable ? cellsOf(line, separator) : [line.trim()] },
  )
  const [first] = all
  const column = first?.cells.findIndex((cell) => headings.test(cell)) ?? -1
  const rows = column < 0 ? all : all.slice(1)
  return {
    headings: column < 0 ? undefined : first?.cells,
    rows,
    width: rows.reduce((width, { cells }) => Math.max(width, cells.length), 1),
    column: Math.max(0, column),
  }
}

/** The codes in a column of a table, and the lines whose codes are too long. */
export const codesIn = ({ rows }: CodeTable, column: number) => {
  const codes: ListedCode[] = []
  const tooLong: number[] = []
  for (const { cells, line } of rows) {
    const code = cells[column] ?? ''
    if (code.length > maxLength) tooLong.push(line)
    else if (code !== '') codes.push({ code, line })
  }
  return { codes, tooLong }
}

/** The most codes of a request, and the most bytes, with room for the rest of the request. */
const maxCodes = 1_000
const maxBytes = 80_000

const bytesOf = (code: string) => new TextEncoder().encode(JSON.stringify(code)).length + 1

/** The parts of a list that requests can carry. */
export const partsOf = (codes: readonly ListedCode[]): ListedCode[][] => {
  const parts: ListedCode[][] = []
  let part: ListedCode[] = []
  let bytes = 0
  for (const listed of codes) {
    const size = bytesOf(listed.code)
    if (part.length === maxCodes || bytes + size > maxBytes) {
      parts.push(part)
      part = []
      bytes = 0
    }
    part.push(listed)
    bytes += size
  }
  return part.length > 0 ? [...parts, part] : parts
}
