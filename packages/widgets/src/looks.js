/** The looks of games on the pages of the arena, for widgets. `jsx-runtime.ts` says how they are compiled here. */
export { lookOf } from '../../../src/pages/spectators/all-looks.ts'
export { default as boardStyles } from '../../../src/pages/spectators/boards.css?inline'
