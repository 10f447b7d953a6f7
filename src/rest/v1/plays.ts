import { route } from '../route.ts'
import { outcome } from './games.ts'

export const playRoutes = [
  route('GET /v1/plays/{playId}/proof', {
    key: 'public',
    summary: 'Show what is needed to verify a play',
    operation: `query ($playId: ID!) {
      play(id: $playId) {
        result: proof {
          version
          play @flatten {
            playId: uuid
            gameType
            outcome ${outcome}
            reward { tier @lowerCase type @lowerCase value label }
            playedAt
          }
          gameVersion @flatten { gameVersion: version }
          nonce clientSeed commitment serverSeed digest rules
        }
      }
    }`,
    message: 'Proof retrieved successfully',
    notFound: ['PLAY_NOT_FOUND', 'PLAY_NOT_VERIFIABLE'],
    errors: ['PLAY_NOT_FOUND', 'PLAY_NOT_VERIFIABLE'],
  }),
]
