/** The form values of the rules of stages, tiers and the score. */
import type { StageRulesFragment } from '../generated/types.ts'
import { humanized, numberText } from '../parts/formats.ts'
import type { FormLines } from '../parts/use-versions.ts'
import { stageRulesTexts as texts } from '../texts/stage-rules-texts.ts'

export type RuleName = keyof typeof texts.fields
export type StageRulesForm = Record<RuleName, number>

const ruleNames = Object.keys(texts.fields) as RuleName[]

/** The stages in the order in which they are tried. */
export const stageRules = [
  ['CHURNED', ['churnedDays']],
  ['AT_RISK', ['atRiskDays']],
  ['POWER_USER', ['powerUserPlays', 'powerUserScore']],
  ['ENGAGED', ['engagedPlays', 'engagedCampaigns']],
  ['NEW', ['newDays', 'newMaxEvents']],
  ['ACTIVE', []],
] as const

export const tierRules = [
  ['WHALE', 'whaleTierPlays'],
  ['POWER_USER', 'powerUserTierPlays'],
  ['REGULAR', 'regularTierPlays'],
] as const

export const scoreRules = [
  ['recency', 'recencyWeight', 'recencyDays'],
  ['frequency', 'frequencyWeight', 'frequencyPlays'],
  ['monetary', 'monetaryWeight', 'monetaryPoints'],
  ['breadth', 'breadthWeight', 'breadthCampaigns'],
] as const

/** The maximum of each number. */
export const largestOf = (name: RuleName): number => {
  if (name.endsWith('Days')) return 365
  return name.endsWith('Weight') || name === 'powerUserScore' ? 100 : 1_000_000
}

export const smallestOf = (name: RuleName): number =>
  name.endsWith('Weight') || name === 'powerUserScore' ? 0 : 1

export const valuesOfStageRules = (of: StageRulesFragment): StageRulesForm =>
  Object.fromEntries(ruleNames.map((name) => [name, of[name]])) as StageRulesForm

export const weightsOf = (values: StageRulesForm): number =>
  scoreRules.reduce((sum, [, weight]) => sum + Number(values[weight]), 0)

/** The errors that the server would return, in the words of the page. */
export const faultsOfStageRules = (values: StageRulesForm) => {
  const { atRiskDays, churnedDays, regularTierPlays, powerUserTierPlays, whaleTierPlays } = values
  const sum = weightsOf(values)
  return {
    ...(sum !== 100 && { recencyWeight: texts.weightsWrong(numberText(sum)) }),
    ...(atRiskDays > churnedDays && { atRiskDays: texts.atRiskTooLate }),
    ...(powerUserTierPlays <= regularTierPlays && { powerUserTierPlays: texts.tierTooLow }),
    ...(whaleTierPlays <= powerUserTierPlays && { whaleTierPlays: texts.tierTooLow }),
  }
}

export const linesOfStageRules = (values: StageRulesForm): FormLines => {
  const line = (part: string, name: RuleName) =>
    [`${part}: ${texts.fields[name].toLowerCase()}`, numberText(values[name])] as const
  return [
    ...stageRules.flatMap(([stage, names]) => names.map((name) => line(humanized(stage), name))),
    ...tierRules.map(([tier, name]) => line(`${texts.tiers}, ${humanized(tier)}`, name)),
    ...scoreRules.flatMap(([part, ...names]) => names.map((name) => line(texts.parts[part], name))),
  ]
}
