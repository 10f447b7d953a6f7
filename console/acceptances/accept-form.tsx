import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { RequestError } from '../client/request.ts'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { acceptArenaGame, gameToAccept } from '../generated/acceptances.ts'
import type { GameToAcceptQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { PageSkeleton } from '../parts/page.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { acceptancesTexts as texts } from '../texts/acceptances-texts.ts'
import { texts as common } from '../texts/shell-texts.ts'
import { policyText } from './policy-text.ts'

type Game = NonNullable<GameToAcceptQuery['arena']['game']>

/** The initial caps. A first acceptance has room for the entry fees of ten seats. */
const capsOf = ({ entryFee, acceptance }: Game) => {
  if (!acceptance) return { maxPointsInPerDay: 10 * entryFee, maxPointsOutPerDay: 10 * entryFee }
  const { maxPointsInPerDay, maxPointsOutPerDay } = acceptance
  return { maxPointsInPerDay, maxPointsOutPerDay }
}

/** Accepts the terms that are shown. If they have changed since, the new ones are shown instead. */
const Terms = ({ of, onClose }: { of: Game; onClose: () => void }) => {
  const { id, entryFee, developerRevenueRate, resultPolicy, termsVersion, acceptance } = of
  const queries = useQueryClient()
  const change = useChange(acceptArenaGame)
  const form = useForm({ initialValues: capsOf(of) })
  const { save, error, isBusy } = useSubmit({
    form,
    done: texts.accepted,
    submit: async (caps) => {
      try {
        await change.mutateAsync({
          input: { arenaGame: { id }, ...caps, expectedTermsVersion: termsVersion },
        })
      } catch (cause) {
        if (cause instanceof RequestError && cause.code === 'ARENA_TERMS_CHANGED')
          await queries.invalidateQueries()
        throw cause
      }
      onClose()
    },
  })
  return (
    <form onSubmit={save}>
      <Stack>
        <Text size="sm">{texts.meaning}</Text>
        <Facts
          of={[
            [texts.entryFee, texts.points(numberText(entryFee))],
            [texts.revenueRate, percentText(developerRevenueRate)],
            [texts.resultPolicy, policyText(resultPolicy)],
          ]}
        />
        <WholeNumberField
          label={texts.maxIn}
          description={texts.maxInHint}
          data-autofocus
          {...form.getInputProps('maxPointsInPerDay')}
        />
        <WholeNumberField
          label={texts.maxOut}
          description={texts.maxOutHint}
          {...form.getInputProps('maxPointsOutPerDay')}
        />
        <Text size="xs" c="dimmed">
          {texts.reserved}
        </Text>
        {error && <RefusalNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <RightButton right="ARENA_WRITE" type="submit" loading={isBusy}>
            {acceptance && !acceptance.withdrawnAt ? common.save : texts.accept}
          </RightButton>
        </Group>
      </Stack>
    </form>
  )
}

/** The terms of a public game and the caps of the partner, to accept or to change. */
export const AcceptForm = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { data, error } = usePage(gameToAccept, { id })
  if (error) return <RefusalNotice error={error} />
  if (!data) return <PageSkeleton />
  const { game } = data.arena
  if (!game) return <Text>{texts.noSuchGame}</Text>
  return (
    <Stack gap="xs">
      <Text fw={600}>{game.name}</Text>
      {game.isShareable ? (
        <Terms key={game.id} of={game} onClose={onClose} />
      ) : (
        <Text>{texts.notShareable}</Text>
      )}
    </Stack>
  )
}
