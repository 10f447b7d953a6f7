import { useHotkeys } from '@mantine/hooks'

/** `/` searches, also on keyboards where it needs Shift. */
export const useSearchKey = (openPalette: () => void) => {
  /** Focuses the search field of the page, or opens the palette without one. Does nothing while a dialog is open. */
  const search = () => {
    if (document.querySelector('[aria-modal=true]')) return
    const field = document.querySelector<HTMLInputElement>('#content input[type=search]')
    if (field) field.focus()
    else openPalette()
  }
  useHotkeys([
    ['/', search],
    ['shift + /', search],
  ])
}
