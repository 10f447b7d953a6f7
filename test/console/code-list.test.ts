/** Lists of codes as the console reads them. */
import { expect, test } from 'vitest'
import { codesIn, type ListedCode, partsOf, readTable } from '../../console/rewards/code-list.ts'

const codesOf = (text: string, isTable = false, column?: number) => {
  const table = readTable(text, isTable)
  return codesIn(table, column ?? table.column).codes.map(({ code, line }) => [line, code])
}

test('each line of a text is a code, without the spaces around it', () => {
  expect(codesOf('\uFEFF A-1 \r\n\r\nB;2, C\rD\n')).toEqual([
    [1, 'A-1'],
    [3, 'B;2, C'],
    [4, 'D'],
  ])
  expect(codesOf(' \n\n')).toEqual([])
})

test('a heading is no code, whatever the list is', () => {
  expect(codesOf('Code\nA')).toEqual([[2, 'A']])
  expect(codesOf('CODE1\nA')).toEqual([
    [1, 'CODE1'],
    [2, 'A'],
  ])
})

test('the column of the codes in a table is found by its heading, or chosen', () => {
  const text = 'id,Voucher code,value\n1,"A,1",5\n2,"say ""B""",5\n3,,5'
  expect(codesOf(text, true)).toEqual([
    [2, 'A,1'],
    [3, 'say "B"'],
  ])
  expect(codesOf(text, true, 0)).toEqual([
    [2, '1'],
    [3, '2'],
    [4, '3'],
  ])
  expect(readTable(text, true)).toMatchObject({
    headings: ['id', 'Voucher code', 'value'],
    width: 3,
  })
})

test.each([';', ',', '\t'])('a table without headings is separated by %j', (separator) => {
  const table = readTable(`A${separator}1\nB${separator}2`, true)
  expect(table).toMatchObject({ headings: undefined, width: 2, column: 0 })
  expect(codesIn(table, 1).codes.map(({ code }) => code)).toEqual(['1', '2'])
})

test('a code that is too long is left out, and its line named', () => {
  const table = readTable(`${'x'.repeat(255)}\n${'x'.repeat(256)}\nA`, false)
  const { codes, tooLong } = codesIn(table, 0)
  expect(codes.map(({ line }) => line)).toEqual([1, 3])
  expect(tooLong).toEqual([2])
})

test('a list is divided into parts of at most 1,000 codes and 80,000 bytes, in its order', () => {
  const listOf = (count: number, code: string): ListedCode[] =>
    Array.from({ length: count }, (_, n) => ({ code: `${n}${code}`, line: n + 1 }))
  expect(partsOf([])).toEqual([])
  expect(partsOf(listOf(2_001, '')).map(({ length }) => length)).toEqual([1_000, 1_000, 1])
  const long = listOf(1_000, '€'.repeat(200))
  const parts = partsOf(long)
  expect(parts.flat()).toEqual(long)
  expect(parts.length).toBeGreaterThan(7)
  for (const part of parts)
    expect(Buffer.byteLength(JSON.stringify(part.map(({ code }) => code)))).toBeLessThan(80_100)
})
