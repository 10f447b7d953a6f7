import { useWindowEvent } from '@mantine/hooks'

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable=true]') !== null

const isDialogOpen = () => document.querySelector('[aria-modal=true]') !== null

/** Focuses the search field of the page, or opens the palette without one. */
const search = (openPalette: () => void) => {
  const field = document.querySelector<HTMLInputElement>('#content input[type=search]')
  if (field) field.focus()
  else openPalette()
}

const showKeys = async () => (await import('./keys-dialog.tsx')).showKeys()

/** `/` searches and `?` shows the keys, unless somebody types or a dialog is open. Some keyboards need Shift for them. */
export const useKeys = (openPalette: () => void) =>
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if ((key !== '/' && key !== '?') || ctrlKey || metaKey || altKey) return
    if (isTyping(target) || isDialogOpen()) return
    event.preventDefault()
    if (key === '?') showKeys()
    else search(openPalette)
  })
