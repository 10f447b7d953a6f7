/** Values that break programs, for tests that throw anything at the API. */
import fc from 'fast-check'

/** Each run has a new seed, which the name of its test shows; FUZZ_SEED=… repeats one. */
export const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))

const words = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\u202e',
  '😀',
  '../../etc',
  '%00',
  '%',
  "' OR 1=1 --",
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'ann',
  'signup',
  'NEON_WHEEL',
  'x'.repeat(256),
  'x'.repeat(10_240),
]

export const junkText = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const numbers = [0, -0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1e300, 5e-324]

const junkNumber = fc.oneof(fc.constantFrom(...numbers), fc.integer())

const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ a: [inner] }), 1)

export const junkJson: fc.Arbitrary<unknown> = fc.oneof(
  junkText,
  junkNumber,
  fc.constantFrom(null, true, false, [], {}, deep, [[[]]], { __proto__: null }),
  fc.dictionary(junkText, fc.oneof(junkText, junkNumber), { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
)
