import type { Drawing } from './jsx-runtime.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'

/** The kind and the key of each element that was drawn. */
const names = new WeakMap<Node, string>()

const elementOf = (parent: Element, type: string): Element => {
  const isSvg = type === 'svg' || parent.namespaceURI === svgNamespace
  return isSvg ? document.createElementNS(svgNamespace, type) : document.createElement(type)
}

/**
 * Draws the content of an element. What was drawn before stays where its kind and key are the same, so that
 * animations run once.
 */
export const draw = (parent: Element, content: unknown): void => {
  const before = new Map([...parent.childNodes].map((node) => [names.get(node), node]))
  const wanted = [content].flat(Number.POSITIVE_INFINITY).filter((child) => child || child === 0)
  const nodes = wanted.map((child, i) => {
    const isText = typeof child !== 'object'
    const { type, props, key = i } = child as Drawing
    const name = isText ? `text ${i}` : `${type} ${key}`
    const node = before.get(name) ?? (isText ? new Text() : elementOf(parent, type))
    names.set(node, name)
    before.delete(name)
    if (isText) node.textContent = String(child)
    else show(node as Element, props)
    return node
  })
  for (const node of before.values()) node.remove()
  for (const [i, node] of nodes.entries())
    if (parent.childNodes[i] !== node) parent.insertBefore(node, parent.childNodes[i] ?? null)
}

const show = (element: Element, { children, ...attributes }: Drawing['props']): void => {
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value))
  draw(element, children)
}
