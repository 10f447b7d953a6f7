/** The filter of campaigns. */
import { z } from 'zod'
import type { Prisma } from '../generated/prisma/client.ts'
import { CampaignStatus } from '../generated/prisma/enums.ts'
import { among, anyCondition, containing, Period, someOf, within } from '../kit/schema/filters.ts'
import { title } from '../kit/validation.ts'
import type { Phase } from './campaign-phase.rules.ts'

const Phases = { ...CampaignStatus, UPCOMING: 'UPCOMING' } as const satisfies Record<string, Phase>

export const CampaignFilter = z
  .object({
    search: title(255)
      .nullish()
      .describe('Only campaigns whose name or slug contains this; case-insensitive.'),
    statuses: someOf('CampaignStatus', CampaignStatus)
      .nullish()
      .describe('Only campaigns to which the partner has given one of these statuses.'),
    phases: someOf('CampaignPhase', Phases)
      .nullish()
      .describe('Only campaigns that are in one of these phases now.'),
    startsAt: Period.nullish().describe('Only campaigns that start in this period.'),
    endsAt: Period.nullish().describe('Only campaigns that end in this period.'),
  })
  .describe('Conditions on campaigns; all that are given must hold.')

/** The campaigns that are in a phase at a moment: those of which `phaseOf` says so. */
const inPhase = (phase: Phase, at: Date): Prisma.CampaignWhereInput => {
  const isOpen = { OR: [{ endsAt: null }, { endsAt: { gt: at } }] }
  const hasStarted = { OR: [{ startsAt: null }, { startsAt: { lte: at } }] }
  switch (phase) {
    case 'DRAFT':
      return { status: 'DRAFT' }
    case 'UPCOMING':
      return { status: 'ACTIVE', startsAt: { gt: at }, AND: isOpen }
    case 'ACTIVE':
      return { status: 'ACTIVE', AND: [hasStarted, isOpen] }
    case 'PAUSED':
      return { status: 'PAUSED', AND: isOpen }
    case 'ENDED':
      return {
        OR: [{ status: 'ENDED' }, { status: { in: ['ACTIVE', 'PAUSED'] }, endsAt: { lte: at } }],
      }
  }
}

/** The campaigns that a filter lets through at a moment. */
export const campaignsThat = (
  { search, statuses, phases, ...periods }: z.output<typeof CampaignFilter>,
  at: Date,
): Prisma.CampaignWhereInput => ({
  ...among({ status: statuses }),
  ...within(periods),
  AND: [
    containing(search, ['name', 'slug']),
    phases ? anyCondition(phases.map((phase) => inPhase(phase, at))) : {},
  ],
})
