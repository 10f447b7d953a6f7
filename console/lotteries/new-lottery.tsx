import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createLottery } from '../generated/lotteries.ts'
import type { LotteryFrequency } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'
import { type LotteryGame, lotteryGames } from './lottery-games.ts'

const frequencies: LotteryFrequency[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM']

const initialValues = {
  name: '',
  slug: '',
  frequency: 'WEEKLY' as LotteryFrequency,
  game: '6of49' as LotteryGame,
  startsAt: null as string | null,
  firstClosesAt: null as string | null,
}

/** Creates a draft and opens its set-up. */
// Long: one form, with its request and all of its fields.
export const NewLottery = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createLottery)
  const goTo = useGoTo()
  const form = useForm({ initialValues })
  return (
    <>
      <RightButton right="LOTTERIES_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async ({ game, ...values }) => {
          const input = { ...values, rules: lotteryGames[game], isDraft: true }
          const { lottery } = await change.mutateAsync({ input })
          goTo({ page: 'lotteries', id: lottery.id, search: { tab: 'setup' } })
        }}
        submitLabel={texts.create}
        done={texts.created}
      >
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={120}
          slugLabel={texts.slug}
          slugHint={texts.slugHint}
          slugLength={60}
        />
        <Select
          label={texts.frequency}
          allowDeselect={false}
          data={frequencies.map((value) => ({ value, label: humanized(value) }))}
          {...form.getInputProps('frequency')}
        />
        <Select
          label={texts.game}
          description={texts.gameHint}
          allowDeselect={false}
          data={Object.entries(texts.games).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('game')}
        />
        <MomentField
          label={texts.starts}
          description={texts.startsHint}
          clearable
          {...form.getInputProps('startsAt')}
        />
        <MomentField
          label={texts.firstCloses}
          description={texts.firstClosesHint}
          clearable
          {...form.getInputProps('firstClosesAt')}
        />
      </FormDialog>
    </>
  )
}
