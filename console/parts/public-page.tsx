import { Button } from '@mantine/core'
import { texts } from '../texts/shell-texts.ts'
import { IconExternalLink } from './icons.ts'

/** Opens the page that users see, in a new tab. */
export const PublicPage = ({ url }: { url: string }) => (
  <Button
    component="a"
    href={url}
    target="_blank"
    rel="noreferrer"
    variant="default"
    rightSection={<IconExternalLink size={14} aria-hidden />}
  >
    {texts.openPage}
  </Button>
)
