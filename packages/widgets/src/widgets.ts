/**
 * The widgets of Tessera: custom elements for pages. This file defines `<tessera-config>`, and loads the other
 * elements when they are on the page.
 */
import { ConfigElement } from './config-element.ts'
import { define, observe, tags } from './define.ts'

export type { WidgetElements, WidgetEvents } from './elements.ts'
export type { Play, Reward } from './plays.ts'
export { configure, type PartialSettings as WidgetSettings } from './settings.ts'
export type { Texts } from './texts.ts'
export { define, observe, tags }

// Reserves space for elements until they are defined.
const places = new CSSStyleSheet()
places.replaceSync(`:is(${tags.join(',')}):not(:defined){display:block;min-height:120px}
:is(tessera-wheel,tessera-slots,tessera-boxes):not(:defined){min-height:520px}
tessera-balance:not(:defined){display:inline-block;min-width:156px;min-height:44px}`)
document.adoptedStyleSheets.push(places)

if (!customElements.get('tessera-config')) customElements.define('tessera-config', ConfigElement)
observe(document)
