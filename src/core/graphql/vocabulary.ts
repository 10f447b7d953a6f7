/** GraphQL enums shared by several domains. */
import { enumType } from './input.ts'

export const EnvironmentRef = enumType(
  'Environment',
  'Test or live data. The two are fully isolated.',
  {
    TEST: 'The sandbox: no real rewards.',
    LIVE: 'Production: real rewards.',
  },
)
