/** Writes the data of a partner about users to their profiles. */
import { z } from 'zod'
import { Device } from '../generated/prisma/enums.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Work } from '../kit/runtime.ts'
import { email, jsonObject, oneOf, text } from '../kit/validation.ts'
import { nameOf, UserBy, type UserKey } from '../users/end-user.ts'
import { setTimeZones, type UserZone } from '../users/time-zone.ts'
import { timeZoneName } from '../users/time-zone-names.ts'
import { writeClassifications } from './classification.ts'
import { upsertProfiles } from './identify.sql.ts'
import { clearable, countryCode } from './journey-input.ts'
import { findProfiles, type Profile } from './profile.ts'

/** Profile data of a user (interface: POST /v1/user-journeys/users). */
export const TrackUser = z
  .object({
    user: UserBy.describe('The user; created if necessary.'),
    displayName: clearable(text(255)).describe('Name of the user; an empty text unsets it.'),
    email: clearable(email()).describe('E-mail address; an empty text unsets it.'),
    phone: clearable(text(20)).describe('At most 20 characters.'),
    country: clearable(countryCode()).describe(
      'ISO 3166-1 alpha-2, in upper or lower case, or XK.',
    ),
    device: clearable(oneOf('Device', Device)).describe("The type of the user's device."),
    source: clearable(text(255)).describe(
      'The channel that the user came from; an empty text unsets it.',
    ),
    timeZone: clearable(timeZoneName()).describe(
      "The user's time zone, an IANA name. A new user has it at once, others from their next midnight on.",
    ),
    tags: jsonObject().nullish().describe('Key-value pairs, replaced as a whole; up to 16 KB.'),
    metadata: jsonObject().nullish().describe('Free-form data, replaced as a whole; up to 16 KB.'),
  })
  .describe('Profile data of a user. Omitted fields are unchanged.')

/** An empty text unsets a field. */
type Known = Omit<z.output<typeof TrackUser>, 'user'>

/**
 * A call. A caller who is not trusted cannot change a field that a secret key or a member has set. `onlyExisting`: it may
 * not create the user.
 */
type Call = UserKey & Known & { isTrusted: boolean; onlyExisting?: boolean }

/** Fields that remember whether a secret key has set them. */
const guarded = ['displayName', 'email', 'phone', 'timeZone', 'tags', 'metadata'] as const

/** The merged data of all calls for a user, and which fields come from a trusted caller. */
type Said = UserKey &
  Known & { onlyExisting: boolean } & {
    [F in (typeof guarded)[number] as `${F}BySecret`]?: boolean
  }

/**
 * Merges the calls for each user, field by field. Trusted calls win over others, and later ones over earlier ones:
 * simultaneous calls have no order of their own.
 */
const mergeByUser = (users: Call[]): Said[] => {
  const merged = new Map<string, Said>()
  for (const { isTrusted, onlyExisting = false, ...user } of users.toSorted(
    (a, b) => +a.isTrusted - +b.isTrusted,
  )) {
    const given = Object.entries(user).filter(([, value]) => value != null)
    const by = guarded.filter((name) => user[name] != null)
    const before = merged.get(nameOf(user))
    merged.set(nameOf(user), {
      ...before,
      onlyExisting: onlyExisting && (before?.onlyExisting ?? true),
      ...Object.fromEntries(given),
      ...Object.fromEntries(by.map((name) => [`${name}BySecret`, isTrusted])),
    } as Said)
  }
  return [...merged.values()]
}

/** The time zone of a call; none if it names none. */
const zoneOf = ({ timeZone, timeZoneBySecret, ...user }: Said): UserZone[] =>
  timeZone == null ? [] : [{ ...user, timeZone, isTrusted: timeZoneBySecret === true }]

/**
 * Creates or changes profiles, with one write and one read for the whole list, and another write if it has time zones.
 * Returns each profile afterwards. A public key does not change a field that a secret key has set. The result for a user
 * who does not exist and may not be created is USER_NOT_FOUND.
 */
export const trackUsers = async (work: Work, users: Call[]): Promise<(Profile | Error)[]> => {
  const [said, now] = [mergeByUser(users), work.clock()]
  await upsertProfiles(work.tx, said, now)
  await setTimeZones(work, said.flatMap(zoneOf), now)
  const profiles = await findProfiles(work, users)
  const found = new Map(profiles.flatMap((profile) => (profile ? [[profile.userId, profile]] : [])))
  await writeClassifications(work, [...found.values()]).catch(() => {}) // it stays due
  return profiles.map((profile) => profile ?? new TesseraError('USER_NOT_FOUND'))
}
