import { Grid, SimpleGrid, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { StageRulesFragment } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { humanized, numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { stageRulesTexts as texts } from '../texts/stage-rules-texts.ts'
import {
  faultsOfStageRules,
  largestOf,
  linesOfStageRules,
  type RuleName,
  type StageRulesForm,
  scoreRules,
  smallestOf,
  stageRules,
  tierRules,
  valuesOfStageRules,
  weightsOf,
} from './stage-rules-form.ts'
import { useSetStageRules } from './use-set-stage-rules.ts'

type Form = UseFormReturnType<StageRulesForm>

/** One stage, tier or part of the score: its name, its meaning, and its numbers. */
const Rule = (props: {
  form: Form
  name: ReactNode
  label: string
  meaning?: string
  fields: readonly RuleName[]
}) => {
  const { form, name, label, meaning, fields } = props
  return (
    <Grid role="group" aria-label={label} align="flex-start" gap="xs">
      <Grid.Col span={{ base: 12, sm: 5 }}>
        {name}
        {meaning && (
          <Text size="sm" c="dimmed" mt={4}>
            {meaning}
          </Text>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 7 }}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {fields.map((field) => (
            <WholeNumberField
              key={field}
              label={texts.fields[field]}
              withAsterisk={false}
              min={smallestOf(field)}
              max={largestOf(field)}
              {...(field.endsWith('Weight') && { suffix: ' %' })}
              {...form.getInputProps(field)}
            />
          ))}
        </SimpleGrid>
      </Grid.Col>
    </Grid>
  )
}

const Stages = ({ form }: { form: Form }) => (
  <Panel title={texts.stages} hint={texts.stagesHint}>
    <Stack gap="lg">
      {stageRules.map(([stage, fields]) => (
        <Rule
          key={stage}
          form={form}
          name={<Status of={stage} />}
          label={humanized(stage)}
          meaning={texts.stageMeanings[stage]}
          fields={fields}
        />
      ))}
    </Stack>
  </Panel>
)

const Tiers = ({ form }: { form: Form }) => (
  <Panel title={texts.tiers} hint={texts.tiersHint}>
    <Stack gap="lg">
      {tierRules.map(([tier, field]) => (
        <Rule
          key={tier}
          form={form}
          name={<Status of={tier} />}
          label={humanized(tier)}
          fields={[field]}
        />
      ))}
    </Stack>
  </Panel>
)

const Score = ({ form }: { form: Form }) => {
  const sum = weightsOf(form.values)
  return (
    <Panel title={texts.score} hint={texts.scoreHint}>
      <Stack gap="lg">
        {scoreRules.map(([part, ...fields]) => (
          <Rule
            key={part}
            form={form}
            name={
              <Text size="sm" fw={600}>
                {texts.parts[part]}
              </Text>
            }
            label={texts.parts[part]}
            meaning={texts.partMeanings[part]}
            fields={fields}
          />
        ))}
        <Text size="sm" role="status" c={sum === 100 ? 'dimmed' : 'red'}>
          {sum === 100 ? texts.weights : texts.weightsWrong(numberText(sum))}
        </Text>
      </Stack>
    </Panel>
  )
}

/** The numbers from which stages, tiers and the score of users follow. */
export const StageRulesEditor = ({ of }: { of: StageRulesFragment }) => {
  const set = useSetStageRules()
  const { form, editor } = useEditor<StageRulesForm, StageRulesFragment>({
    of,
    linesOf: linesOfStageRules,
    done: texts.saved,
    valuesOf: (rules) => valuesOfStageRules(rules ?? of),
    validate: faultsOfStageRules,
    send: (values, expectedVersion) => set({ ...values, expectedVersion }),
  })
  return (
    <EditorForm of={editor}>
      <Stack maw={960}>
        <Stages form={form} />
        <Tiers form={form} />
        <Score form={form} />
        <EditorEnd of={editor} right="JOURNEYS_WRITE" />
      </Stack>
    </EditorForm>
  )
}
