import { Button, CopyButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { modals } from '@mantine/modals'
import { download } from '../parts/download.ts'
import { numberText } from '../parts/formats.ts'
import { IconDownload } from '../parts/icons.ts'
import { slugFrom } from '../parts/slug.ts'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

type MadeCodes = { codes: readonly string[]; name: string }

const CodesText = ({ made, onDone }: { made: MadeCodes; onDone: () => void }) => {
  const text = made.codes.join('\n')
  const name = slugFrom(made.name)
  return (
    <Stack>
      <Text size="sm">{texts.onlyOnce}</Text>
      <Textarea
        aria-label={texts.allCodes}
        value={text}
        readOnly
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? shellTexts.copied : texts.copyAll}
            </Button>
          )}
        </CopyButton>
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download(`${name}-codes.csv`, `code\n${text}\n`, 'text/csv')}
        >
          {texts.download}
        </Button>
        <Button variant="default" onClick={onDone}>
          {texts.done}
        </Button>
      </Group>
    </Stack>
  )
}

/**
 * Shows new codes, once. The dialog belongs to no page, because the component that requested the codes may be unmounted
 * when they arrive. It closes only by its own button, because they cannot be shown again.
 */
export const showCodes = (made: MadeCodes) => {
  const id = modals.open({
    title: texts.ready(numberText(made.codes.length)),
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: <CodesText made={made} onDone={() => modals.close(id)} />,
  })
}
