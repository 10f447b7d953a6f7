import { browserZone, shownZone } from '../shown-zone.ts'
import { timeZoneTexts } from '../texts/period-texts.ts'
import { placeOf, showTheSame } from '../zones.ts'

const browserTimes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** The time zone of the field, and what the clock of the browser shows then, if it differs. */
const zoneText = (value: string | null | undefined): string => {
  const [zone, own] = [shownZone(), browserZone()]
  const place = placeOf(zone)
  const at = value ? Date.parse(value) : Date.now()
  if (!value || showTheSame(zone, own, at)) return timeZoneTexts.field(place)
  return timeZoneTexts.both(place, browserTimes.format(at), placeOf(own))
}

/** What stands below the label of a field for a time: its hint, and in which time zone it is. */
export const MomentHint = (props: {
  text: string | undefined
  value: string | null | undefined
}) => (
  <>
    {props.text && <span style={{ display: 'block' }}>{props.text}</span>}
    {zoneText(props.value)}
  </>
)
