import { Group, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { submitArenaGame } from '../../generated/operations/arena-games.ts'
import type { SubmitArenaGameInput } from '../../generated/operations/types.ts'
import { useChange } from '../client/use-change.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'

const categories = [
  ...(['ACTION', 'ARCADE', 'BOARD', 'CARD', 'PUZZLE'] as const),
  ...(['RACING', 'SPORTS', 'STRATEGY', 'TRIVIA', 'OTHER'] as const),
]
const engines = ['HTML5', 'UNITY', 'GODOT'] as const
const modes = ['PVP', 'PVE', 'PV_AI', 'AI_VS_AI', 'FFA'] as const

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: humanized(value) }))

type Values = Pick<
  SubmitArenaGameInput,
  'name' | 'buildUrl' | 'category' | 'engine' | 'playerMode' | 'minPlayers' | 'maxPlayers'
> & { description: string; rules: string; version: string; entryFee: number }

const initialValues: Values = {
  ...{ name: '', description: '', rules: '', buildUrl: '', version: '1.0.0', entryFee: 0 },
  ...{ category: 'ARCADE', engine: 'HTML5', playerMode: 'PVP', minPlayers: 2, maxPlayers: 2 },
}

export const SubmitGame = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(submitArenaGame)
  const form = useForm<Values>({ initialValues })
  const select = (label: string, name: keyof Values, values: readonly string[]) => (
    <Select
      label={label}
      allowDeselect={false}
      data={choices(values)}
      {...form.getInputProps(name)}
    />
  )
  const number = (label: string, name: keyof Values, min: number) => (
    <NumberInput label={label} min={min} allowDecimal={false} {...form.getInputProps(name)} />
  )
  return (
    <>
      <RightButton right="ARENA_WRITE" onClick={open}>
        {texts.submit}
      </RightButton>
      <FormDialog
        title={texts.submit}
        isOpen={isOpen}
        onClose={close}
        form={form}
        size="lg"
        submit={({ description, rules, ...values }) =>
          change.mutateAsync({
            input: { ...values, ...(description && { description }), ...(rules && { rules }) },
          })
        }
        submitLabel={texts.submit}
        done={texts.submitted}
      >
        <TextInput label={texts.name} data-autofocus {...form.getInputProps('name')} />
        <Textarea label={texts.gameDescription} autosize {...form.getInputProps('description')} />
        <Textarea label={texts.rules} autosize {...form.getInputProps('rules')} />
        <TextInput
          label={texts.buildUrl}
          description={texts.buildUrlHint}
          type="url"
          {...form.getInputProps('buildUrl')}
        />
        <Group grow>
          {select(texts.category, 'category', categories)}
          {select(texts.engine, 'engine', engines)}
          {select(texts.mode, 'playerMode', modes)}
        </Group>
        <Group grow>
          {number(texts.minPlayers, 'minPlayers', 1)}
          {number(texts.maxPlayers, 'maxPlayers', 1)}
          {number(texts.entryFee, 'entryFee', 0)}
        </Group>
      </FormDialog>
    </>
  )
}
