import { Button, Group, Stack, Text } from '@mantine/core'
import { CopiedText } from '../parts/copied-text.tsx'
import { IconDownload, IconExternalLink } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { drawsTexts as texts } from '../texts/lotteries-texts.ts'
import type { ShownDraw } from './shown-draw.ts'

const values = [
  ['commitment', texts.commitment],
  ['root', texts.root],
  ['seed', texts.seed],
] as const

/** The published values by which anybody can verify a draw, and links to its public page and its ticket check. */
export const DrawProof = ({ of }: { of: ShownDraw }) => {
  const { pageUrl, root, commitment } = of
  const links = [
    { label: texts.publicPage, href: pageUrl, isShown: true, icon: IconExternalLink },
    {
      label: texts.check,
      href: `${pageUrl}#check`,
      isShown: root !== null,
      icon: IconExternalLink,
    },
    {
      label: texts.download,
      href: `${pageUrl}/proof.json`,
      isShown: root !== null,
      icon: IconDownload,
    },
  ]
  return (
    <Panel title={texts.proof} hint={texts.proofHint}>
      <Stack gap="xs">
        {commitment === null && (
          <Text size="sm" c="dimmed">
            {texts.notOpened}
          </Text>
        )}
        {values.map(([name, label]) => {
          const value = of[name]
          return (
            value && (
              <div key={name}>
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
                <CopiedText label={label} text={value} />
              </div>
            )
          )
        })}
        <Group gap="xs">
          {links
            .filter(({ isShown }) => isShown)
            .map(({ label, href, icon: Icon }) => (
              <Button
                key={label}
                component="a"
                href={href}
                target="_blank"
                rel="noreferrer"
                size="xs"
                variant="default"
                rightSection={<Icon size={14} aria-hidden />}
              >
                {label}
              </Button>
            ))}
        </Group>
      </Stack>
    </Panel>
  )
}
