/** What inputs of the arena have in common. */
import { z } from 'zod'
import { TesseraError } from '../core/errors.ts'
import { reference } from '../core/validation.ts'

/** UUID of something of ours, spelled as the database spells it: two texts of one id are equal. */
export const id = () => reference().pipe(z.uuid('must be a UUID').toLowerCase())

/** The error for a field that is wrong for what it is about, not by itself. */
export const refused = (field: string, message: string): TesseraError =>
  new TesseraError('VALIDATION_FAILED', {
    errors: [{ field, code: 'invalid', message: `${field} ${message}` }],
  })
