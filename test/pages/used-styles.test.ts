/** The styles of the console without those of components that it does not have. */
import { expect, test } from 'vitest'
import { withUsedStyles } from '../../scripts/used-styles.ts'

const used = new Set(['m_a1', 'm_b2'])

test.each([
  ['a used class stays', '.m_a1{color:red}', '.m_a1{color:red}'],
  ['an unused class goes', '.m_c3{color:red}', ''],
  ['of several selectors, the used ones stay', '.m_a1, .m_c3{color:red}', '.m_a1{color:red}'],
  ['a selector needs all its classes', '.m_a1 .m_c3{color:red}', ''],
  ['a condition needs none', '.m_a1:not(.m_c3){color:red}', '.m_a1:not(.m_c3){color:red}'],
  ['other classes stay', '.mine{color:red}', '.mine{color:red}'],
  ['what holds no rule any more goes', '@media print{.m_c3{color:red}}', ''],
  [
    'keyframes stay',
    '@keyframes x{from{top:0}to{top:1px}}',
    '@keyframes x{from{top:0}to{top:1px}}',
  ],
])('%s', (_, css, left) => {
  expect(withUsedStyles(css, used)).toBe(left)
})
