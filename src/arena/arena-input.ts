/** What inputs of the arena have in common. */
import { z } from 'zod'
import { reference } from '../core/validation.ts'

/** UUID of something of ours, spelled as the database spells it: two texts of one id are equal. */
export const id = () => reference().pipe(z.uuid('must be a UUID').toLowerCase())
