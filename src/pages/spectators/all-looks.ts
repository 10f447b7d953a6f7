/// <reference types="vite/client" />
/** How each game looks, by its type: every file of `games/` exports a `look`. */
import type { Look } from './look.tsx'
import { plainLook } from './plain-look.tsx'

const found = import.meta.glob<Look>('./games/*.tsx', { eager: true, import: 'look' })

export const looks: Look[] = Object.values(found)

const byType = new Map(looks.map((look) => [look.type, look]))

export const lookOf = (type: string): Look => byType.get(type) ?? plainLook(type)
