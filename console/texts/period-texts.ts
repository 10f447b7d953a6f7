export const periodTexts = {
  period: 'Period',
  days: (days: string) => `${days} days`,
  before: (days: number) => `against the ${days} days before`,
} as const
