import { Select, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BlockReason, BlockUserInput } from '../generated/types.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { faultOfPast } from '../parts/past.ts'
import { RadioField } from '../parts/radio-field.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

const dayMs = 86_400_000
const days = { DAY: 1, WEEK: 7, MONTH: 30 } as const

type End = keyof typeof texts.blockEnds

const ends = Object.entries(texts.blockEnds).map(([value, label]) => ({ value, label }))

const initialValues = {
  reason: '' as BlockReason | '',
  note: '',
  end: 'NEVER' as End,
  until: null as string | null,
}

type Values = typeof initialValues

/** The end of a block that begins now; null for none. */
const untilOf = ({ end, until }: Values): string | null => {
  if (end === 'NEVER') return null
  return end === 'MOMENT' ? until : new Date(Date.now() + days[end] * dayMs).toISOString()
}

export const blockInputOf = (userId: string, values: Values): BlockUserInput => ({
  user: { id: userId },
  reason: values.reason as BlockReason,
  note: values.note || null,
  until: untilOf(values),
})

export const useBlockForm = () =>
  useForm({
    initialValues,
    validate: {
      reason: (reason) => (reason === '' ? texts.chooseBlockReason : null),
      until: (until, { end }) =>
        end === 'MOMENT' ? (until ? faultOfPast(until) : texts.chooseBlockEnd) : null,
    },
  })

/** Why users are blocked, and until when. */
export const BlockFields = ({ form }: { form: ReturnType<typeof useBlockForm> }) => (
  <>
    <Text size="sm">{texts.blockHint}</Text>
    <RadioField
      label={texts.blockReason}
      choices={texts.blockReasons}
      {...form.getInputProps('reason')}
    />
    <Select
      label={texts.blockEnd}
      data={ends}
      allowDeselect={false}
      {...form.getInputProps('end')}
    />
    {form.values.end === 'MOMENT' && (
      <MomentField label={texts.blockUntil} isAhead {...form.getInputProps('until')} />
    )}
    <Textarea
      label={texts.blockNote}
      description={texts.blockNoteHint}
      autosize
      minRows={2}
      maxLength={500}
      {...form.getInputProps('note')}
    />
  </>
)
