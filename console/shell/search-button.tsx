import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { IconSearch } from '../parts/icons.ts'
import { texts } from '../texts/shell-texts.ts'

export const SearchButton = ({ onClick }: { onClick: () => void }) => {
  const os = useOs()
  const key = os === 'macos' || os === 'ios' ? '⌘ K' : 'Ctrl K'
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Kbd size="xs">{key}</Kbd>}
        onClick={onClick}
      >
        {texts.search}
      </Button>
      <ActionIcon variant="default" hiddenFrom="sm" aria-label={texts.search} onClick={onClick}>
        <IconSearch size={16} />
      </ActionIcon>
    </>
  )
}
