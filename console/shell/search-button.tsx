import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconSearch } from '../parts/icons.ts'
import { texts } from '../texts/shell-texts.ts'
import { paletteKey } from './palette-key.ts'

export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <>
    <Button
      variant="default"
      size="xs"
      visibleFrom="sm"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<Kbd size="xs">{paletteKey()}</Kbd>}
      onClick={onClick}
    >
      {texts.search}
    </Button>
    <ActionIcon variant="default" hiddenFrom="sm" aria-label={texts.search} onClick={onClick}>
      <IconSearch size={16} />
    </ActionIcon>
  </>
)
