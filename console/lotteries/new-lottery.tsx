import { Select } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { createLottery } from '../generated/lotteries.ts'
import type { LotteryFrequency } from '../generated/types.ts'
import { humanized } from '../parts/formats.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { NewDraft } from '../parts/new-draft.tsx'
import { faultOfPast } from '../parts/past.ts'
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
export const NewLottery = () => {
  const change = useChange(createLottery)
  return (
    <NewDraft
      right="LOTTERIES_WRITE"
      page="lotteries"
      label={texts.create}
      done={texts.created}
      texts={texts}
      lengths={{ name: 120, slug: 60 }}
      slugHint={() => texts.slugHint}
      initialValues={initialValues}
      validate={({ firstClosesAt: at }) => ({ firstClosesAt: faultOfPast(at) })}
      create={async ({ game, ...values }) => {
        const input = { ...values, rules: lotteryGames[game], isDraft: true }
        return (await change.mutateAsync({ input })).lottery
      }}
    >
      {(form) => (
        <>
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
            isAhead
            {...form.getInputProps('firstClosesAt')}
          />
        </>
      )}
    </NewDraft>
  )
}
