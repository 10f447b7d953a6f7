/** GraphQL enums shared by several domains. */
import { rights } from '../access/rights.ts'
import { enumType } from './input.ts'

export const EnvironmentRef = enumType(
  'Environment',
  'Test or live data. The two are fully isolated.',
  {
    TEST: 'The sandbox: no real rewards.',
    LIVE: 'Production: real rewards.',
  },
)

export const RightRef = enumType('Right', 'What members and keys may do.', rights)
