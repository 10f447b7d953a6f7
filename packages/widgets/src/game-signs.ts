/** The signs of the games on a field of 24 × 24, drawn as lines. */
import { type SVGTemplateResult, svg } from 'lit'
import type { GameType } from './plays.ts'

export const gameSigns: Record<GameType, SVGTemplateResult> = {
  NEON_WHEEL: svg`<circle cx="12" cy="12" r="9"/><path d="M12 3v18M4.2 7.500l15.6 9M4.2 16.500l15.6-9"/>`,
  COSMIC_SLOTS: svg`<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M9 5v14M15 5v14M3 12h18"/>`,
  ENIGMA_BOXES: svg`<path d="M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7C8 7 6 3 9 3s3 4 3 4 0-4 3-4 1 4-3 4z"/>`,
}
