import { z } from 'zod'
import { nodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { query } from '../kit/schema/query.ts'
import { tenantOf } from '../kit/tenant.ts'
import { UserRef } from '../users/end-user.graphql.ts'
import { externalIdOf } from '../users/end-user.ts'
import { onlyUserOf } from '../users/named-user.ts'
import { GameVersionRef } from './mechanic.graphql.ts'
import { PlayRef } from './play.graphql.ts'
import { type PlayOfUser, type PlayProof, proofOfPlay } from './play-proof.ts'
import { findPlaysById } from './play-search.ts'
import {
  type PlaySeeds,
  playSeedsOf,
  type RevealedSeed,
  RotatePlaySeed,
  rotatePlaySeed,
} from './play-seed.ts'

const PlayProofRef = builder.objectRef<PlayProof>('PlayProof').implement({
  description:
    'What is needed to verify a play, with the program at `/docs/verify-play.ts` or on the page `/plays/check`.',
  fields: (t) => ({
    version: t.int({ description: 'Version of the format: 1.', resolve: () => 1 }),
    play: t.field({
      type: PlayRef,
      description: 'The play that it proves.',
      resolve: ({ play }) => play,
    }),
    gameVersion: t.expose('gameVersion', {
      type: GameVersionRef,
      description: 'The version of the game that it was drawn from.',
    }),
    commitment: t.exposeString('commitment', {
      description: 'SHA-256 of the server seed, in hexadecimal. It was shown before the play.',
    }),
    serverSeed: t.exposeString('serverSeed', {
      nullable: true,
      description: 'The server seed in hexadecimal; null until the user replaces it.',
    }),
    clientSeed: t.exposeString('clientSeed', {
      description: 'The client seed that the user had set; their UUID if they had set none.',
    }),
    nonce: t.exposeInt('nonce', {
      description: 'The number of the play among all plays of its user, from 1.',
    }),
    rules: t.exposeString('rules', {
      description: 'The exact text of the rules of the version: game, segments and reward table.',
    }),
    digest: t.exposeString('digest', {
      description:
        'The random bytes of the play in hexadecimal. They follow from all of the above, and the outcome from them.',
    }),
  }),
})

builder.prismaObjectField('Play', 'proof', (t) =>
  t.field({
    type: PlayProofRef,
    nullable: true,
    description:
      'What is needed to verify it; null if its user was erased together with their client seed.',
    complexity: 5,
    // Every play comes with its user.
    resolve: (play, _, ctx) => proofOfPlay(ctx, play as PlayOfUser),
  }),
)

query('play', {
  description: 'A play.',
  key: 'public',
  args: z.object({ id: nodeId('Play').describe('The global id or the UUID.') }),
  type: PlayRef,
  nullable: true,
  resolve: async ({ id }, ctx, caller) => {
    const only = onlyUserOf(caller)
    const play = await ctx.read(findPlaysById, id)
    const { partnerId, environment } = caller
    const isShown =
      play?.partnerId === partnerId &&
      play.environment === environment &&
      (only === undefined || play.user.externalId === only)
    return isShown ? play : null
  },
})

const PlaySeedsRef = builder.objectRef<PlaySeeds>('PlaySeeds').implement({
  description: 'What is known of the seeds of a user before a play.',
  fields: (t) => ({
    commitment: t.exposeString('commitment', {
      description: 'SHA-256 of the server seed of the next play, in hexadecimal.',
    }),
    nextCommitment: t.exposeString('nextCommitment', {
      description: 'SHA-256 of the server seed after that, for which `rotatePlaySeed` changes it.',
    }),
    clientSeed: t.exposeString('clientSeed', {
      description: 'The client seed of the next play. Until the user sets one, it is their UUID.',
    }),
    nextNonce: t.exposeInt('nextNonce', { description: 'The number of the next play.' }),
  }),
})

builder.prismaObjectField('EndUser', 'playSeeds', (t) =>
  t.field({
    type: PlaySeedsRef,
    description: 'The seeds that the next play is drawn from.',
    resolve: (user, _, ctx) => playSeedsOf(ctx, user),
  }),
)

const RevealedSeedRef = builder.objectRef<RevealedSeed>('RevealedPlaySeed').implement({
  description: 'Seeds that are no longer used.',
  fields: (t) => ({
    serverSeed: t.exposeString('serverSeed', { description: 'The server seed, in hexadecimal.' }),
    commitment: t.exposeString('commitment', { description: 'Its SHA-256, in hexadecimal.' }),
    clientSeed: t.exposeString('clientSeed', {
      description: 'The client seed that was used with it.',
    }),
  }),
})

mutation('rotatePlaySeed', {
  description:
    'Replaces the server seed of a user by the next one, and the client seed if a new one is given. Reveals the old server seed, so that all plays that were drawn from it can be verified.',
  key: 'public',
  right: 'PLAY',
  isAudited: false,
  input: RotatePlaySeed,
  payload: {
    user: UserRef,
    revealed: { type: RevealedSeedRef, description: 'The seeds until now.' },
  },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user, clientSeed }, ctx, caller) => {
    const externalId = await externalIdOf(ctx, caller, user)
    return rotatePlaySeed(ctx, { ...tenantOf(caller), externalId }, clientSeed ?? null)
  },
})
