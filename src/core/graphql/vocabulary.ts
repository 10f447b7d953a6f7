/** The words that several domains share, as GraphQL enums. */
import { enumType } from './input.ts'

export const EnvironmentRef = enumType('Environment', 'Which of the two worlds data belongs to.', {
  TEST: 'The sandbox: no real rewards.',
  LIVE: 'Production: real rewards.',
})
