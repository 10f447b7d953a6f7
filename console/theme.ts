import {
  type CSSVariablesResolver,
  createTheme,
  darken,
  type MantineColorsTuple,
} from '@mantine/core'
import { texts } from './texts/shell-texts.ts'

const ember: MantineColorsTuple = [
  '#fff1eb',
  '#fbe0d5',
  '#f3beaa',
  '#ec9a7b',
  '#e67b53',
  '#e2673a',
  '#d4562a',
  '#b3431f',
  '#9f3a1a',
  '#872f13',
]

/** The cross that clears a field has a name, and is reached by keyboard. */
const clearable = {
  defaultProps: {
    clearButtonProps: { 'aria-label': texts.clear, 'aria-hidden': false, tabIndex: 0 },
  },
}

/** The button that closes a dialog has a name, and its header is not a second banner of the page. */
const dialogProps = {
  closeButtonProps: { 'aria-label': texts.close },
  attributes: { header: { role: 'none' } },
}

/** Dialogs and drawers leave room for notifications above them. */
const toasts = 'var(--toasts, 0px)'

export const theme = createTheme({
  primaryColor: 'ember',
  colors: { ember },
  // White text is shown on it in both schemes.
  primaryShade: 7,
  autoContrast: true,
  luminanceThreshold: 0.24,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { ...dialogProps, yOffset: `calc(5dvh + ${toasts})` } },
    Drawer: { defaultProps: dialogProps, styles: { inner: { paddingTop: toasts } } },
    Notification: {
      defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': texts.close } },
    },
    Select: clearable,
    MultiSelect: clearable,
    TagsInput: clearable,
    Autocomplete: clearable,
    DateTimePicker: clearable,
    DatePickerInput: clearable,
    // A scrolling table can be scrolled with the keyboard, too.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    },
    // A badge keeps its width: in a narrow table its text would be cut.
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'max-content' } },
  },
})

/** Text colors with a contrast of 4.5 : 1 on every surface, in both schemes. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => {
  const inks = Object.entries(colors).map(([name, shades]) => [name, darken(shades[9], 0.3)])
  return {
    variables: {},
    light: {
      ...Object.fromEntries(
        inks.flatMap(([name, ink]) => [
          [`--mantine-color-${name}-light-color`, ink],
          [`--mantine-color-${name}-text`, ink],
        ]),
      ),
      '--mantine-color-dimmed': '#5d5a68',
      '--mantine-color-placeholder': '#6b6877',
      '--mantine-color-error': colors.red[9],
      // White text is shown on these.
      '--mantine-color-red-filled': colors.red[9],
      '--mantine-color-red-filled-hover': darken(colors.red[9], 0.1),
      '--mantine-color-blue-filled': colors.blue[9],
    },
    dark: {
      // Lighter than the page, so that badges stand out.
      '--mantine-color-gray-light': colors.dark[5],
      '--mantine-color-gray-light-hover': colors.dark[4],
      '--mantine-color-dimmed': '#a9a6b5',
      '--mantine-color-placeholder': '#a09dac',
      '--mantine-color-error': colors.red[4],
    },
  }
}
