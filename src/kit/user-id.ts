/** The two ids of a user. They are types of their own, so that neither can be passed for the other. */
import { z } from 'zod'
import { reference } from './validation.ts'

/** The UUID that Tessera gave a user. */
export type UserId = string & z.$brand<'UserId'>

/** The id that a partner gave a user. */
export type ExternalId = string & z.$brand<'ExternalId'>

/**
 * An input that names a user by the partner's id. It is a part of URLs, where clients and proxies resolve `.` and `..`
 * and cut off blanks.
 */
export const externalId = () =>
  reference()
    .refine((id) => !/^[\s\p{Cf}]+$/u.test(id), 'must not be blank')
    .refine((id) => id !== '.' && id !== '..', 'must not be . or ..')
    .brand<'ExternalId'>()

/** The partner's id of a user in the data of an event. */
export const announcedId = () => z.string().brand<'ExternalId'>()
