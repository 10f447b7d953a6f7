import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { pointPolicy, updatePointPolicy } from '../generated/ledger.ts'
import type { ShortfallPolicy } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RadioField } from '../parts/radio-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { pointPolicyTexts as texts } from '../texts/ledger-texts.ts'

/** What happens to reversals of points that are spent; undefined until it is known. All who ask share one request. */
export const useShortfallPolicy = (): ShortfallPolicy | undefined =>
  usePage(pointPolicy, {}).data?.pointPolicy.onShortfall

/** Sets what happens to reversals of points that are spent. */
export const PointPolicyButton = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(updatePointPolicy)
  const policy = useShortfallPolicy()
  const form = useForm({ initialValues: { onShortfall: 'REFUSE' as ShortfallPolicy } })
  if (!policy) return null
  return (
    <>
      <RightButton
        right="POINTS_ADJUST"
        variant="default"
        onClick={() => {
          form.setInitialValues({ onShortfall: policy })
          form.reset()
          open()
        }}
      >
        {texts.title}
      </RightButton>
      <FormDialog
        title={texts.title}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(input) => change.mutateAsync({ input })}
        done={texts.saved}
      >
        <RadioField
          label={texts.question}
          choices={texts.choices}
          {...form.getInputProps('onShortfall')}
        />
      </FormDialog>
    </>
  )
}
