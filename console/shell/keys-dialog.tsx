import { Box, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { modals } from '@mantine/modals'
import { keyTexts as texts } from '../texts/palette-texts.ts'
import { paletteKey } from './palette-key.ts'

type Keys = readonly (readonly [keys: readonly string[], does: string])[]

const groups = (): readonly (readonly [title: string, keys: Keys])[] => [
  [
    texts.anywhere,
    [
      [[paletteKey()], texts.palette],
      [['/'], texts.search],
      [['?'], texts.keys],
      [['Tab'], texts.skip],
    ],
  ],
  [
    texts.inSearch,
    [
      [['↑', '↓'], texts.choose],
      [['Enter'], texts.open],
    ],
  ],
  [texts.inDialogs, [[['Esc'], texts.close]]],
]

const KeyRow = ({ keys, does }: { keys: readonly string[]; does: string }) => (
  <Group component="li" justify="space-between" wrap="nowrap" gap="md">
    <Text size="sm">{does}</Text>
    <Group gap={6} wrap="nowrap">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </Group>
  </Group>
)

const KeyList = () => (
  <Stack gap="lg">
    {groups().map(([title, keys]) => (
      <Box component="section" key={title} aria-label={title}>
        <Title order={3} size="h6" mb="xs">
          {title}
        </Title>
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {keys.map(([names, does]) => (
            <KeyRow key={does} keys={names} does={does} />
          ))}
        </Stack>
      </Box>
    ))}
  </Stack>
)

/** Shows the keys that do something. */
export const showKeys = () => {
  modals.open({ title: texts.title, children: <KeyList /> })
}
