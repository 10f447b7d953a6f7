import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accentOf, contrastOf, hexOf, hslOf, onAccent } from '../../src/kit/accent.rules.ts'
import { runSeed } from '../games/random.ts'

const seed = runSeed()
const color = fc
  .integer({ min: 0, max: 0xff_ffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const hold = <T>(property: fc.IProperty<T>) => fc.assert(property, { seed, numRuns: 500 })

/** The surfaces of the campaign page, the draw page and the widgets that an accent may stand on. */
const surfaces = {
  light: ['#ffffff', '#f7f6f3', '#faf9f7', '#f3f1fc'],
  dark: ['#1d1b23', '#131217', '#201f27', '#17161c', '#17142e', '#231f45'],
}
const washOf = (hue: number) => ({
  light: hexOf({ hue, saturation: 0.6, lightness: 0.95 }),
  dark: hexOf({ hue, saturation: 0.3, lightness: 0.14 }),
})
const themes = ['light', 'dark'] as const

/** The distance of two hues on the circle, in degrees. */
const apart = (first: number, other: number) => {
  const distance = Math.abs(first - other) % 360
  return Math.min(distance, 360 - distance)
}

describe('an accent', () => {
  test('has a contrast of 4.5 on every surface, and as a surface of text', () => {
    hold(
      fc.property(color, (given) => {
        const accent = accentOf(given)
        const wash = washOf(hslOf(given).hue)
        for (const theme of themes) {
          const shown = accent[theme]
          expect(shown).toMatch(/^#[0-9a-f]{6}$/)
          for (const surface of [...surfaces[theme], wash[theme], onAccent[theme]])
            expect(contrastOf(shown, surface)).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  test('keeps the hue of its color', () => {
    hold(
      fc.property(color, (given) => {
        for (const theme of themes) {
          const [first, other] = [hslOf(given), hslOf(accentOf(given)[theme])]
          // A gray, or nearly black or white, has no hue that eight bits could keep.
          const chroma = ({ saturation, lightness }: typeof first) =>
            saturation * Math.min(lightness, 1 - lightness)
          if (Math.min(chroma(first), chroma(other)) > 0.1)
            expect(apart(first.hue, other.hue)).toBeLessThan(3)
        }
      }),
    )
  })

  test('is the color itself where it can be read', () => {
    expect(accentOf('#0B5345').light).toBe('#0b5345')
    expect(accentOf('#FFD84D').dark).toBe('#ffd84d')
    expect(accentOf('#FFD84D').light).not.toBe('#ffd84d')
    expect(accentOf('#000000').light).toBe('#000000')
    expect(accentOf('#ffffff').dark).toBe('#ffffff')
  })

  test('of a readable color is not changed again', () => {
    hold(
      fc.property(color, (given) => {
        for (const theme of themes) {
          const shown = accentOf(given)[theme]
          expect(accentOf(shown)[theme]).toBe(shown)
        }
      }),
    )
  })
})

test('colors survive the way to hue, saturation and lightness and back', () => {
  hold(
    fc.property(color, (given) => {
      expect(hexOf(hslOf(given))).toBe(given)
    }),
  )
})

test('contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
