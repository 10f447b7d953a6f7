import { z } from 'zod'
import { PartnerRef } from '../accounts/partner.graphql.ts'
import { updatePartner } from '../accounts/partner.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { checkTimeZone, timeZoneName } from './time-zone-names.ts'

const UpdatePartnerSettings = z
  .object({
    timeZone: timeZoneName()
      .nullish()
      .describe(
        'The time zone in which times are shown to people of the partner and read from them, and shown on its pages for players.',
      ),
  })
  .describe('Changes to the settings of your partner. Omitted fields are unchanged.')

mutation('updatePartnerSettings', {
  description:
    'Changes settings of your partner, which hold in both environments. The time zone changes how times are shown and read, at once; stored times, draws, campaigns and the days of users stay as they are.',
  key: 'member',
  right: 'SETTINGS_WRITE',
  input: UpdatePartnerSettings,
  payload: { partner: PartnerRef },
  errors: ['PARTNER_UNKNOWN'],
  prepare: async (input, ctx) => {
    await checkTimeZone(ctx, input)
    return input
  },
  resolve: async ({ timeZone }, ctx, { partnerId }) => ({
    partner: await updatePartner(ctx, { partnerId, timeZone }),
  }),
})
