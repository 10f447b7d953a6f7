import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export type Alert = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

export const alertsFile = new URL('../../deploy/alerts.yml', import.meta.url)

export const readAlerts = (): Alert[] =>
  parse(readFileSync(alertsFile, 'utf8')).groups.flatMap(({ rules }: { rules: Alert[] }) => rules)
