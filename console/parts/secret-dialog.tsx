import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { texts } from '../texts/shell-texts.ts'

type Secret = { title: string; hint: string; secret: string }

const SecretText = ({ of: { hint, secret }, onDone }: { of: Secret; onDone: () => void }) => (
  <Stack>
    <Text size="sm">{hint}</Text>
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {secret}
    </Code>
    <Group justify="flex-end">
      <CopyButton value={secret}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? texts.copied : texts.copy}</Button>}
      </CopyButton>
      <Button variant="default" onClick={onDone}>
        {texts.done}
      </Button>
    </Group>
  </Stack>
)

/**
 * Shows a value that the server shows only once. The dialog belongs to no page, because the button that requested the
 * secret may be unmounted by then, like the one in an empty list. It closes only by its own button.
 */
export const showSecret = (of: Secret) => {
  const id = modals.open({
    title: of.title,
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: <SecretText of={of} onDone={() => modals.close(id)} />,
  })
}
