import type { LifecycleStage } from '../generated/types.ts'

export const stageColors: Record<LifecycleStage, string> = {
  NEW: 'blue.6',
  ACTIVE: 'teal.6',
  ENGAGED: 'green.6',
  POWER_USER: 'grape.6',
  AT_RISK: 'orange.6',
  CHURNED: 'red.6',
}
