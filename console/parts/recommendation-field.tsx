import { Select } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { recommendationNames, recommendationTexts as texts } from '../texts/recommendation-texts.ts'

const types = Object.entries(recommendationNames).map(([value, label]) => ({ value, label }))

/** The recommendation of users that leads to something. */
export const RecommendationField = (props: { hint: string } & GetInputPropsReturnType) => {
  const { hint, ...input } = props
  return (
    <Select
      label={texts.label}
      description={hint}
      placeholder={texts.none}
      clearable
      searchable
      data={types}
      {...input}
    />
  )
}
