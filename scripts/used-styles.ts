/**
 * A Vite plugin that leaves out the styles of components of Mantine that the build does not have. The classes of Mantine are
 * named `m_…` by a hash, and a component names its classes in its code.
 */
import { parse } from 'postcss'
import type { Plugin } from 'vite'

/** Conditions that a selector can meet without the classes in them. */
const conditions = /:(?:not|is|has)\((?:[^()]|\([^()]*\))*\)/g

export const withUsedStyles = (css: string, used: ReadonlySet<string>): string => {
  const root = parse(css)
  const isUsed = (selector: string) =>
    [...selector.replace(conditions, '').matchAll(/\.(m_[\da-f]+)/g)].every(([, name]) =>
      used.has(name as string),
    )
  root.walkRules((rule) => {
    const left = rule.selectors.filter(isUsed)
    if (left.length === 0) rule.remove()
    else if (left.length < rule.selectors.length) rule.selectors = left
  })
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove()
  })
  return root.toString()
}

export const usedStyles = (): Plugin => ({
  name: 'used-styles',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      const parts = Object.values(bundle)
      const codes = parts.flatMap((part) => (part.type === 'chunk' ? part.code : []))
      const used = new Set(codes.flatMap((code) => code.match(/\bm_[\da-f]+/g) ?? []))
      for (const part of parts)
        if (part.type === 'asset' && part.fileName.endsWith('.css'))
          part.source = withUsedStyles(String(part.source), used)
    },
  },
})
