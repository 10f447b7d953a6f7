import { useForm } from '@mantine/form'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { adjustPointsOfUsers } from '../generated/batches.ts'
import { AdjustFields } from '../parts/adjust-fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { countText } from '../parts/formats.ts'
import { useTypedName } from '../parts/typed-name.tsx'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import type { ManyUsers } from './many-users.ts'
import { Preview } from './preview.tsx'

/** Adjusts the points of all users who match. LIVE asks for the name of the segment, or the number of users. */
export const AdjustDialog = ({ of, onClose }: { of: ManyUsers; onClose: () => void }) => {
  const change = useChange(adjustPointsOfUsers)
  const typed = useTypedName(of.filter.segment ? (of.name ?? '') : String(of.count.value))
  const goTo = useGoTo()
  const form = useForm({ initialValues: { points: 0 as number | string, reason: '' } })
  return (
    <FormDialog
      title={texts.adjustTitle(countText(of.count))}
      isOpen
      onClose={onClose}
      form={form}
      submit={async ({ points, reason }) => {
        const input = { filter: of.filter, name: of.name ?? null, points: Number(points), reason }
        const { userBatch } = await change.mutateAsync({ input })
        goTo({ page: 'batches', id: userBatch.id })
      }}
      submitLabel={texts.adjustOf}
      isReady={typed.isRight}
      done={texts.adjustStarted}
    >
      <Preview of={of} />
      <AdjustFields form={form} />
      {typed.field}
    </FormDialog>
  )
}
