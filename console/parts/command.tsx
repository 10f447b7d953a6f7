import { Button, Code, CopyButton, Stack } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'

/** A command for a terminal, and a button that copies it. */
export const Command = ({ text }: { text: string }) => (
  <Stack gap={6} align="flex-start" ta="left">
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? texts.copied : texts.copy}
        </Button>
      )}
    </CopyButton>
  </Stack>
)
