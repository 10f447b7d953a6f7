import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '../client/use-change.ts'
import { reverseLedgerEntry } from '../generated/ledger.ts'
import type { LedgerRowFragment, ShortfallPolicy } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { useTypedName } from '../parts/typed-name.tsx'
import { ledgerTexts as texts } from '../texts/ledger-texts.ts'
import { useShortfallPolicy } from './point-policy.tsx'

/** Why an entry cannot be reversed now; null if it can. */
const refusalOf = (
  { isReversible, correction, points, user }: LedgerRowFragment,
  policy: ShortfallPolicy | undefined,
) => {
  if (correction?.reverses) return texts.isFinal
  if (!isReversible) return texts.notReversible
  return points > user.balance && policy !== 'REPAY'
    ? texts.balanceTooLow(numberText(points), numberText(user.balance))
    : null
}

/** Takes an entry back, with a reason. An entry that was reversed has no button. */
// Long: the dialog and its actions.
export const ReverseEntry = ({ of }: { of: LedgerRowFragment }) => {
  const { points, eventType, user } = of
  const [isOpen, { open, close }] = useDisclosure()
  const typed = useTypedName(user.externalId)
  const policy = useShortfallPolicy()
  const owed = Math.max(0, points - user.balance)
  const change = useChange(reverseLedgerEntry)
  const queries = useQueryClient()
  const form = useForm({ initialValues: { reason: '' } })
  const reverse = async ({ reason }: typeof form.values) => {
    try {
      await change.mutateAsync({ input: { ledgerEntryId: of.id, reason } })
    } catch (cause) {
      // The refusal may mean that the page is out of date.
      queries.invalidateQueries()
      throw cause
    }
  }
  return (
    <>
      {!of.reversal && (
        <RightButton
          right="POINTS_ADJUST"
          refusal={refusalOf(of, policy)}
          size="xs"
          variant="default"
          onClick={() => {
            typed.clear()
            open()
          }}
        >
          {texts.reverse}
        </RightButton>
      )}
      <FormDialog
        title={texts.reverseTitle(numberText(points), eventType)}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={reverse}
        submitLabel={texts.reverse}
        isReady={typed.isRight}
        done={texts.reversed}
      >
        <Text size="sm">
          {texts.reverseExplanation(
            numberText(owed - points),
            user.displayName ?? user.externalId,
            numberText(user.balance),
            numberText(Math.max(0, user.balance - points)),
          )}
        </Text>
        {owed > 0 && <Text size="sm">{texts.reverseOwed(numberText(owed))}</Text>}
        <Text size="sm">{texts.reverseLimits}</Text>
        <Textarea
          label={texts.reverseReason}
          description={texts.reverseReasonHint}
          required
          autosize
          minRows={2}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        {typed.field}
      </FormDialog>
    </>
  )
}
