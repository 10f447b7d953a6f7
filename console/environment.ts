/** The environment whose data the console shows: `/console/live/…` or `/console/test/…`. */
export type Environment = 'TEST' | 'LIVE'

export const environmentOf = (segment: string | undefined): Environment =>
  segment === 'live' ? 'LIVE' : 'TEST'

export const segmentOf = (environment: Environment) => (environment === 'LIVE' ? 'live' : 'test')
