/** Refusals of the server as sentences about the fields of a form. */
import { expect, test } from 'vitest'
import { ChangeError } from '../../console/client/change.ts'
import { RequestError } from '../../console/client/request.ts'
import { sentenceOf, sentencesOf } from '../../console/parts/faults.ts'

const labels: Record<string, string> = { startsAt: 'Starts', endsAt: 'Ends', repeat: 'How often' }
const labelOf = (path: string) => labels[path] ?? null

test.each([
  ['endsAt must be after startsAt', 'Ends', 'Ends must be after Starts'],
  ['name is required', 'Name', 'Name is required'],
  ['name must not be blank', 'Name', 'Name is required'],
  ['startsAt must be a moment in ISO 8601', 'Starts', 'Starts must be a date and a time'],
  ['window must be one of DAY, WEEK', 'Period', 'Period must be one of the options'],
  ['tiers.0.limit must be an integer', 'Limit', 'Limit must be a whole number'],
  [
    'password must have at least 12 characters',
    'Password',
    'Password must have at least 12 characters',
  ],
  [
    'cooldown must not be given unless repeat is UNLIMITED',
    'Pause',
    'Pause must not be given unless How often is “Unlimited”',
  ],
  ['max must be at least minPlayers', 'Most players', 'Most players must be at least Min players'],
  ['body must be at most 16 KB as JSON', 'Details', 'Details must be at most 16 KB as JSON'],
  ['A campaign with this slug already exists', 'Slug', 'A campaign with this slug already exists'],
  [
    'slug must be lower-case letters and digits in words joined by single hyphens',
    'Slug',
    'Slug may have small letters, digits and single hyphens only',
  ],
])('says “%s” of the field “%s” as “%s”', (message, label, sentence) => {
  expect(sentenceOf(message, label, labelOf)).toBe(sentence)
})

test('names a field without a label by its path, and the row of a list', () => {
  const fieldErrors = [
    { path: ['input', 'endsAt'], message: 'endsAt must be in the future' },
    { path: ['input', 'tiers', '1', 'maxWins'], message: 'tiers.1.maxWins must be at least 1' },
  ]
  const refused = { code: 'VALIDATION_FAILED', message: 'Invalid request body', fieldErrors }
  expect(sentencesOf(new ChangeError(refused, null))).toEqual([
    'Ends at must be in the future',
    'Row 2: Max wins must be at least 1',
  ])
})

test('never says that the body of a request is invalid', () => {
  const code = 'VALIDATION_FAILED'
  expect(sentencesOf(new RequestError('Invalid request body', code))).toEqual([
    'Something that you entered is not valid',
  ])
  expect(sentencesOf(new RequestError('There are too many tries', 'RATE_LIMITED'))).toEqual([
    'There are too many tries',
  ])
})
