import { Grid, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Suspense } from 'react'
import { useChange } from '../client/use-change.ts'
import { setGame } from '../generated/games.ts'
import type { GameSetUpFragment, SetGameInput } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { Panel } from '../parts/panel.tsx'
import { useConfirmation } from '../parts/use-confirmation.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import { ExpectedPrizes } from './expected-prizes.tsx'
import { type GameForm, inputOfGame, linesOfGame, newGameOf, valuesOfGame } from './game-form.ts'
import { GameHistory } from './game-history.tsx'
import { GameSimulation } from './game-simulation.tsx'
import { GameCheck, GameStatusButton } from './game-status.tsx'
import { RewardTable } from './reward-table.tsx'

const SetUpFields = ({ form }: { form: UseFormReturnType<GameForm> }) => (
  <>
    <TextInput label={texts.name} required maxLength={255} {...form.getInputProps('name')} />
    <Textarea
      label={texts.gameDescription}
      required
      autosize
      minRows={2}
      maxLength={2000}
      {...form.getInputProps('description')}
    />
    <WholeNumberField label={texts.price} {...form.getInputProps('price')} />
    <WholeNumberField
      label={texts.segments}
      description={texts.segmentsHint}
      min={2}
      max={360}
      {...form.getInputProps('segments')}
    />
    <TextInput
      label={texts.imageUrl}
      description={texts.imageUrlHint}
      type="url"
      maxLength={2048}
      {...form.getInputProps('imageUrl')}
    />
  </>
)

/** A new game can be played at once. Of a game that can be played, the price and the odds are asked about. */
const needsCheck = (game: GameSetUpFragment | undefined, values: GameForm) => {
  if (!game) return true
  const oddsOf = (of: GameForm) => {
    const { price, rewards } = inputOfGame(game.gameType, 0, of)
    return JSON.stringify([price, rewards])
  }
  return game.status === 'ACTIVE' && oddsOf(values) !== oddsOf(valuesOfGame(game))
}

/** Edits a game, with a simulation of its odds and its earlier versions. */
// Long: one form, with its request and all of its parts.
export const GameEditor = (props: {
  gameType: SetGameInput['gameType']
  game: GameSetUpFragment | undefined
  /** In the last 30 days. */
  plays: number | undefined
}) => {
  const { gameType, game, plays } = props
  const mutation = useChange(setGame)
  const confirmation = useConfirmation()
  const valuesOf = (of: GameSetUpFragment | undefined) =>
    of ? valuesOfGame(of) : newGameOf(gameType)
  const { form, editor } = useEditor<GameForm, GameSetUpFragment>({
    of: game,
    valuesOf,
    linesOf: linesOfGame,
    confirm: (values) => confirmation.ask(needsCheck(game, values)),
    done: texts.saved,
    send: async (values, version) => {
      const input = inputOfGame(gameType, version, values)
      return (await mutation.mutateAsync({ input })).game
    },
  })
  return (
    <Stack gap="md">
      <EditorForm of={editor}>
        <Grid gap="md">
          <Grid.Col span={12}>
            <Panel title={texts.rewards}>
              <RewardTable form={form} />
            </Panel>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <ExpectedPrizes rewards={form.values.rewards} plays={plays} />
              <GameSimulation rewards={form.values.rewards} cost={form.values.price} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Panel title={texts.editor}>
              <Stack gap="sm">
                <SetUpFields form={form} />
                <EditorEnd of={editor} right="GAMES_WRITE" />
                {game && <GameStatusButton of={game} />}
              </Stack>
            </Panel>
          </Grid.Col>
        </Grid>
      </EditorForm>
      {game && <GameHistory of={game} onUse={(values) => form.setValues(values)} />}
      <Suspense>
        {confirmation.isOpen && (
          <GameCheck
            game={inputOfGame(gameType, 0, form.getValues())}
            to="save"
            {...(game && {
              change: {
                before: linesOfGame(valuesOfGame(game)),
                after: linesOfGame(form.getValues()),
              },
            })}
            frame={confirmation.frameOf(form.getValues().name)}
          />
        )}
      </Suspense>
    </Stack>
  )
}
