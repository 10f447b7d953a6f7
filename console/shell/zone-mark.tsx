import { Tooltip } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { useViewer } from '../client/viewer.tsx'
import { timeZoneTexts as texts } from '../texts/period-texts.ts'
import { placeOf } from '../zones.ts'

/** Says in which time zone times are shown, and leads to its setting. */
export const ZoneMark = () => {
  const { partner, rights } = useViewer()
  const place = placeOf(partner.timeZone)
  if (!rights.includes('READ')) return null
  return (
    <Tooltip label={texts.shownIn(place)}>
      <PageLink
        page="settings"
        size="sm"
        c="dimmed"
        visibleFrom="md"
        style={{ whiteSpace: 'nowrap' }}
      >
        {texts.short(place)}
      </PageLink>
    </Tooltip>
  )
}
