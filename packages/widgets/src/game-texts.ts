/** The English texts of the games' pictures, which are loaded with them. */
import { addTexts } from './texts.ts'

const english = {
  widenedArcs: 'The smallest chances are drawn wider than they are, so that you can see them.',
  equalSegments: 'The numbers on the wheel do not show the odds. This list does.',
  symbols: 'planet, star, moon, rocket, comet, sun, crystal, flying saucer, galaxy, satellite',
}

export type GameTexts = typeof english

addTexts(english)
