import { useHotkeys } from '@mantine/hooks'
import { type ComponentType, useState } from 'react'

/** The command palette, loaded when it is opened for the first time, by Ctrl + K or by `open`. */
export const usePalette = () => {
  const [Palette, setPalette] = useState<ComponentType | null>(null)
  const open = async () => {
    const { CommandPalette, showPalette } = await import('./command-palette.tsx')
    setPalette(() => CommandPalette)
    showPalette()
  }
  // Also while a field has the focus.
  useHotkeys([['mod + K', open]], [])
  return { palette: Palette && <Palette />, open }
}
