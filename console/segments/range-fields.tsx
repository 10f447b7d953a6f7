import { ActionIcon, Box, Group, NumberInput, Select } from '@mantine/core'
import { IconX } from '../parts/icons.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { type Bounds, isOfTimes, type RangeName, type Ranges, rangeNames } from './segment-range.ts'

const RangeRow = (props: {
  name: RangeName
  bounds: Bounds
  onChange: (bounds: Bounds) => void
  onRemove: () => void
}) => {
  const { name, bounds, onChange, onRemove } = props
  const title = texts.ranges[name]
  const words = isOfTimes(name) ? texts.timeBounds : texts.numberBounds
  return (
    <Group gap="sm" wrap="nowrap" align="flex-end" role="group" aria-label={title}>
      {(['from', 'to'] as const).map((bound) => (
        <Box key={bound} flex={1} miw={0}>
          {isOfTimes(name) ? (
            <MomentField
              label={texts.rangeBound(title, words[bound])}
              clearable
              value={bounds[bound] === '' ? null : String(bounds[bound])}
              onChange={(value) => onChange({ ...bounds, [bound]: value ?? '' })}
            />
          ) : (
            <NumberInput
              label={texts.rangeBound(title, words[bound])}
              min={0}
              max={name === 'balance' || name === 'lifetimePoints' ? undefined : 1_000_000}
              allowDecimal={false}
              thousandSeparator=","
              value={bounds[bound]}
              onChange={(value) => onChange({ ...bounds, [bound]: value })}
            />
          )}
        </Box>
      ))}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.removeRange(title)}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

/** Conditions on numbers and times, each with both of its bounds. They are added one by one. */
export const RangeFields = ({
  of,
  onChange,
}: {
  of: Ranges
  onChange: (ranges: Ranges) => void
}) => {
  const shown = rangeNames.filter((name) => of[name])
  const rest = rangeNames.filter((name) => !of[name])
  return (
    <>
      {shown.map((name) => (
        <RangeRow
          key={name}
          name={name}
          bounds={of[name] as Bounds}
          onChange={(bounds) => onChange({ ...of, [name]: bounds })}
          onRemove={() => onChange({ ...of, [name]: undefined })}
        />
      ))}
      {rest.length > 0 && (
        <Select
          aria-label={texts.addRange}
          placeholder={texts.addRange}
          data={rest.map((value) => ({ value, label: texts.ranges[value] }))}
          value={null}
          onChange={(value) =>
            value && onChange({ ...of, [value as RangeName]: { from: '', to: '' } })
          }
        />
      )}
    </>
  )
}
