import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useChange } from '../client/use-change.ts'
import { updateSegment } from '../generated/segment.ts'
import type { SegmentFilterFragment } from '../generated/types.ts'
import { RightButton } from '../parts/right-button.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import {
  filterOfSegment,
  SegmentDialog,
  type SegmentValues,
  valuesOfSegment,
} from './segment-dialog.tsx'

/** Only the fields that were edited, so that concurrent changes of other fields are kept. */
const changesOf = (of: SegmentFilterFragment, values: SegmentValues) => {
  const [before, after] = [filterOfSegment(valuesOfSegment(of)), filterOfSegment(values)]
  const fields = [
    ...new Set([...Object.keys(before), ...Object.keys(after)]),
  ] as (keyof typeof after)[]
  const changed = fields.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return {
    ...Object.fromEntries(changed.map((field) => [field, after[field] ?? null])),
    ...(values.name !== of.name && { name: values.name.trim() }),
  }
}

/** Changes the name and the filter of a segment. */
export const EditSegmentButton = ({ of }: { of: SegmentFilterFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  /** The segment as it was when the dialog was opened. The page may have a later one by now. */
  const [{ opened, times }, setOpened] = useState({ opened: of, times: 0 })
  const change = useChange(updateSegment)
  const start = () => {
    setOpened({ opened: of, times: times + 1 })
    open()
  }
  return (
    <>
      <RightButton right="JOURNEYS_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <SegmentDialog
        key={times}
        title={texts.editTitle}
        of={opened}
        isOpen={isOpen}
        onClose={close}
        submit={(values) =>
          change.mutateAsync({ input: { segment: { id: of.id }, ...changesOf(opened, values) } })
        }
        submitLabel={shellTexts.save}
        done={texts.saved}
      />
    </>
  )
}
