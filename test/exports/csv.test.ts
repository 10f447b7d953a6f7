/**
 * What spreadsheets make of CSV. Neighbours that were looked for: each character with which a formula begins, also in
 * full width, and each separator.
 */
import { expect, test } from 'vitest'
import { exportLines } from '../../src/exports/export-text.ts'

const lineOf = (text: string) => exportLines('CSV', [{ text, end: 1 }])[0]

test.each([
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '\uff1d',
  '\uff0b',
  '\uff0d',
  '\uff20', // the full-width forms of = + - @
])('a text that begins with %j is no formula', (start) => {
  expect(lineOf(`${start}1`)).toMatch(/^"?'/)
})

test.each(['"', ',', ';', '\r', '\n', '\t'])('a text with %j is quoted', (part) => {
  expect(lineOf(`a${part}b`)).toBe(`"a${part === '"' ? '""' : part}b",1\r\n`)
})

test.each(['a=b', 'a-b', '1', 'J\u00fcrgen', "it's"])('%s is written as it is', (text) => {
  expect(lineOf(text)).toBe(`${text},1\r\n`)
})
