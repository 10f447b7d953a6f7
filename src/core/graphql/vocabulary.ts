/** The words that several domains share, as GraphQL enums. */
import { enumType } from './input.ts'

export const EnvironmentRef = enumType(
  'Environment',
  'Test or live data. The two are fully isolated.',
  {
    TEST: 'The sandbox: no real rewards.',
    LIVE: 'Production: real rewards.',
  },
)
