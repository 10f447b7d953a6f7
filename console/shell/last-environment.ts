import type { Environment } from '../environment.ts'

const key = 'tessera-environment'

/** The environment that this browser showed last. */
export const lastEnvironment = (): Environment =>
  localStorage.getItem(key) === 'LIVE' ? 'LIVE' : 'TEST'

export const rememberEnvironment = (environment: Environment) =>
  localStorage.setItem(key, environment)
