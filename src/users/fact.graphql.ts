import { enumType } from '../kit/schema/input.ts'

export const FactRef = enumType('Fact', 'What an activity proves of its user.', {
  POINTS_AWARDED: 'The user was awarded points.',
  GAME_PLAYED: 'A game of chance that costs points was played.',
  GAME_WON: 'A game of chance was won. It counts as played, too, if it cost points.',
  CAMPAIGN_EVENT: 'An event in a campaign was recorded.',
  REFERRAL_MADE: 'The user referred another one.',
  CODE_REDEEMED: 'A code or a win code was redeemed.',
  OFFER_CLAIMED: 'An offer was claimed.',
  SESSION_WON: 'The user won the prize of a session in the arena.',
  ACTIVITY: 'A secret key or a member sent it, in any category.',
})
