/** What the looks of games, which pages draw with Preact, are compiled to in widgets: elements as plain data. */

export type Drawing = {
  type: string
  props: Record<string, unknown>
  key?: string | number | undefined
}

type Component = (props: object) => Drawing

export const jsx = (
  type: string | Component,
  props: Drawing['props'],
  key?: Drawing['key'],
): Drawing =>
  typeof type === 'string' ? { type, props, key } : { ...type(props), ...(key && { key }) }

export { jsx as jsxs }
