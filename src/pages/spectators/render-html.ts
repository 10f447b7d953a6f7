/** Renders views as HTML. These views are functions of their properties without hooks, so this is sufficient. */
import { type ComponentChildren, Fragment, type VNode } from 'preact'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => escapes[sign] as string)

const empty = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const names: Record<string, string> = { className: 'class', htmlFor: 'for' }

const attribute = ([name, value]: [string, unknown]): string => {
  if (value === null || value === undefined || typeof value === 'function') return ''
  if (name === 'children' || name === 'key' || name === 'ref') return ''
  const isSpelledOut = name.startsWith('aria-') || name.startsWith('data-')
  if (value === false && !isSpelledOut) return ''
  const shown = names[name] ?? name
  return value === true && !isSpelledOut ? ` ${shown}` : ` ${shown}="${escapeText(String(value))}"`
}

export const renderHtml = (child: ComponentChildren): string => {
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  if (Array.isArray(child)) return child.map(renderHtml).join('')
  if (typeof child !== 'object') return escapeText(String(child))
  const { type, props } = child as VNode
  const { children } = props as { children?: ComponentChildren }
  if (type === Fragment) return renderHtml(children)
  if (typeof type === 'function')
    return renderHtml((type as (props: unknown) => ComponentChildren)(props))
  const attributes = Object.entries(props).map(attribute).join('')
  return empty.has(type)
    ? `<${type}${attributes}>`
    : `<${type}${attributes}>${renderHtml(children)}</${type}>`
}
