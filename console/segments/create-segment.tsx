import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createSegment } from '../generated/segments.ts'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { filterOfSegment, SegmentDialog } from './segment-dialog.tsx'

/** Saves a filter under a name and goes to its users. */
export const CreateSegmentButton = () => {
  const [isOpen, { open, close }] = useCreateDialog('JOURNEYS_WRITE')
  const change = useChange(createSegment)
  const goTo = useGoTo()
  return (
    <>
      <RightButton right="JOURNEYS_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <SegmentDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        submit={async (values) => {
          const input = { ...filterOfSegment(values), name: values.name.trim() }
          const { segment } = await change.mutateAsync({ input })
          goTo({ page: 'segments', id: segment.id })
        }}
        submitLabel={texts.create}
        done={texts.createdDone}
      />
    </>
  )
}
