import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ArenaCategory, ArenaEngine, ArenaPlayerMode } from '../generated/types.ts'
import { humanized } from '../parts/formats.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'

const categories = [
  ...(['ACTION', 'ARCADE', 'BOARD', 'CARD', 'PUZZLE'] as const),
  ...(['RACING', 'SPORTS', 'STRATEGY', 'TRIVIA', 'OTHER'] as const),
]
const engines = ['HTML5', 'UNITY', 'GODOT'] as const
const modes = ['PVP', 'PVE', 'PV_AI', 'AI_VS_AI', 'FFA'] as const

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: humanized(value) }))

type Described = {
  name: string
  description: string | null
  rules: string | null
  category: ArenaCategory
  engine: ArenaEngine
  playerMode: ArenaPlayerMode
  minPlayers: number
  maxPlayers: number
  entryFee: number
}

const newGame: Described = {
  name: '',
  description: '',
  rules: '',
  category: 'ARCADE',
  engine: 'HTML5',
  playerMode: 'PVP',
  minPlayers: 2,
  maxPlayers: 2,
  entryFee: 0,
}

/** The fields of a game that can be changed without a review. */
export const gameValuesOf = (of: Described = newGame) => ({
  name: of.name,
  description: of.description ?? '',
  rules: of.rules ?? '',
  category: of.category,
  engine: of.engine,
  playerMode: of.playerMode,
  minPlayers: of.minPlayers,
  maxPlayers: of.maxPlayers,
  entryFee: of.entryFee,
})

type Form = Pick<UseFormReturnType<ReturnType<typeof gameValuesOf>>, 'getInputProps'>

export const GameFields = ({ form }: { form: Form }) => {
  const select = (label: string, name: string, values: readonly string[]) => (
    <Select
      label={label}
      allowDeselect={false}
      data={choices(values)}
      {...form.getInputProps(name)}
    />
  )
  const number = (label: string, name: string, min: number) => (
    <WholeNumberField label={label} min={min} {...form.getInputProps(name)} />
  )
  return (
    <>
      <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
      <Textarea label={texts.gameDescription} autosize {...form.getInputProps('description')} />
      <Textarea label={texts.rules} autosize {...form.getInputProps('rules')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {select(texts.category, 'category', categories)}
        {select(texts.engine, 'engine', engines)}
        {select(texts.mode, 'playerMode', modes)}
        {number(texts.minPlayers, 'minPlayers', 1)}
        {number(texts.maxPlayers, 'maxPlayers', 1)}
        {number(texts.entryFee, 'entryFee', 0)}
      </SimpleGrid>
    </>
  )
}
