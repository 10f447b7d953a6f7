import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'
import { IconCheck, IconCopy } from './icons.ts'

/** Machine-readable text, such as JSON or a URL, with a copy button. */
export const CopiedText = ({ label, text }: { label: string; text: string }) => (
  <Box pos="relative">
    <Code
      block
      tabIndex={0}
      role="group"
      aria-label={label}
      mah={360}
      pr={44}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflowY: 'auto' }}
    >
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copied : texts.copy}>
          <ActionIcon
            pos="absolute"
            top={6}
            right={6}
            variant="default"
            aria-label={`${texts.copy}: ${label}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </Box>
)

export const jsonText = (value: unknown) => JSON.stringify(value, null, 2)
