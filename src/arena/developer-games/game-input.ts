/** Inputs of developers about their games (interface: Arena game). */
import { z } from 'zod'
import {
  ArenaCategory,
  ArenaEngine,
  ArenaPlayerMode,
  ArenaResultPolicy,
} from '../../generated/prisma/enums.ts'
import { oneKey } from '../../kit/node-id.ts'
import {
  flag,
  httpsUrl,
  integer,
  maxPoints,
  oneOf,
  rate,
  reference,
  text,
  title,
  urlOf,
} from '../../kit/validation.ts'
import { id } from '../arena-input.ts'

export const ArenaGameBy = oneKey({
  id: id('ArenaGame').describe('The global id or the UUID.'),
  slug: reference().describe('The slug.'),
})
  .meta({ graphql: 'ArenaGameBy' })
  .describe('Exactly one key of a game of the arena.')
export type ArenaGameBy = z.output<typeof ArenaGameBy>

/** The maximum number of players in a session. */
const maxPlayersAllowed = 256
const daySeconds = 24 * 3600

const fields = {
  name: title(100).describe('Name shown to players; not necessarily unique.'),
  category: oneOf('ArenaCategory', ArenaCategory).describe('Where it is listed.'),
  description: text(5000).nullish().describe('What it is about.'),
  rules: text(20_000).nullish().describe('How to play it.'),
  thumbnailUrl: httpsUrl().nullish().describe('Small picture; an https URL.'),
  coverImageUrl: httpsUrl().nullish().describe('Large picture; an https URL.'),
  engine: oneOf('ArenaEngine', ArenaEngine).describe('The technology of its build.'),
  playerMode: oneOf('ArenaPlayerMode', ArenaPlayerMode).describe('Who plays against whom.'),
  minPlayers: integer(1, maxPlayersAllowed).describe('Players that a session needs.'),
  maxPlayers: integer(1, maxPlayersAllowed).describe('Players that a session takes.'),
  estimatedDurationSeconds: integer(1, daySeconds)
    .nullish()
    .describe('How long a session lasts, in seconds.'),
  supportsAgents: flag().nullish().describe('Whether agents can play it.'),
  entryFee: integer(0, maxPoints)
    .nullish()
    .describe('Points that each player pays into a session.'),
  developerRevenueRate: rate(0.5)
    .nullish()
    .describe('Share of a prize pool that goes to the developer, 0 to 0.5.'),
  resultPolicy: oneOf('ArenaResultPolicy', ArenaResultPolicy)
    .nullish()
    .describe('Who may report a result. Null means TOKEN with an entry fee, and OPEN without.'),
}

const anyUrl = () => urlOf(/^https?$/, 'must be an https URL')

const build = {
  buildUrl: anyUrl().describe(
    'Where the build is served; an https URL. A development server also takes http on localhost.',
  ),
  version: text(50).nullish().describe('Version of the build.'),
}

export const SubmitArenaGame = z
  .object({
    ...fields,
    entryFee: fields.entryFee.describe(
      'Points that each player pays into a session. Defaults to 0.',
    ),
    developerRevenueRate: fields.developerRevenueRate.describe(
      'Share of a prize pool that goes to the developer, 0 to 0.5. Defaults to 0.3.',
    ),
    resultPolicy: fields.resultPolicy.describe(
      'Who may report a result. Defaults to TOKEN with an entry fee, and to OPEN without.',
    ),
    ...build,
  })
  .describe('A game to submit.')
export type SubmitArenaGame = z.output<typeof SubmitArenaGame>

const arenaGame = { arenaGame: ArenaGameBy.describe('The game, by id or slug.') }

const optional = <S extends z.ZodType>(schema: S) => schema.nullish()

/** Fields that a developer can change without a review. Omitted fields are unchanged. */
export const UpdateArenaGame = z
  .object({
    ...arenaGame,
    ...fields,
    name: optional(fields.name),
    category: optional(fields.category),
    engine: optional(fields.engine),
    playerMode: optional(fields.playerMode),
    minPlayers: optional(fields.minPlayers),
    maxPlayers: optional(fields.maxPlayers),
  })
  .describe('Changes to a game. Omitted fields are unchanged.')
export type UpdateArenaGame = Omit<z.output<typeof UpdateArenaGame>, 'arenaGame'>

export const SubmitArenaBuild = z
  .object({ ...arenaGame, ...build })
  .describe('A new build of a game, for review.')
export type SubmitArenaBuild = Omit<z.output<typeof SubmitArenaBuild>, 'arenaGame'>

export const ArchiveArenaGame = z.object(arenaGame).describe('A game to archive.')
