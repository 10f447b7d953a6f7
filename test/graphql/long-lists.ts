/** Every list of the schema; each can be made longer by copies of its items. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { encodeNodeId as nodeId } from '../../src/kit/node-id.ts'
import { schema } from '../../src/schema.ts'
import type { World } from '../world.ts'
import { copiesOf, findOrMakeRow, nodeTypes, viewTypes } from './derived-rows.ts'
import { plantLists } from './planted-lists.ts'
import { anyTime, type Columns, copy, id, idOf, type Rows, random, rowMaker } from './row-copies.ts'
import { versionLists } from './version-lists.ts'

type By = Record<string, string>

/**
 * Each field that gives a connection, as `Type.field`, and the type of its nodes. The public part of a type has its
 * lists from the same interface.
 */
export const connections: [place: string, type: string][] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  // The list of a payload is also one of its user.
  .filter(({ name }) => !viewTypes.includes(name) && !name.endsWith('Payload'))
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap((field): [string, string][] => {
      const connection = getNamedType(field.type)
      if (!connection.name.endsWith('Connection')) return []
      const { edges } = (connection as GraphQLObjectType).getFields()
      const { node } = (getNamedType(edges?.type) as GraphQLObjectType).getFields()
      return [[`${type.name}.${field.name}`, getNamedType(node?.type)?.name ?? '']]
    }),
  )

export type LongList = {
  /** The selected fields of the nodes, which distinguish them. */
  key: string
  /** The headers of a caller who may see it. */
  by: By
  rows: Rows
  /** The document around the list. */
  wrap(list: string): string
}

/** The sign-in of an access token. */
const signInOf = ({ authorization = '' }: By): string =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()).sub

/** All lists by `Type.field`, each with at least one item. Those that are written down need more than a copy of a row. */
export const makeLists = async (world: World): Promise<Record<string, LongList>> => {
  const { partner, tenant, keys } = world
  const at = await plantLists(world)
  const secret = { 'x-api-secret': keys.secret }
  const memberOf = async (role: 'OWNER' | 'OPERATOR') => ({
    authorization: `Bearer ${await world.signInAs(role)}`,
    'x-environment': 'LIVE',
  })
  const member = await memberOf('OWNER')
  const inTest = { ...member, 'x-environment': tenant.environment }
  const admin = await memberOf('OPERATOR')
  const rowsOf = rowMaker(world)
  const copies = (table: string, where: string, columns: Columns) =>
    rowsOf(copy(table, where, columns))

  const ofPartner = `partner_id = '${partner.partnerId}'`
  const mine = `${ofPartner} AND environment = '${tenant.environment}'`
  const isUser = `id = '${at.user.id}'`
  const ofUser = `user_id = '${at.user.id}'`
  const ofReferrer = `referrer_id = '${at.user.id}'`
  const ofLottery = `lottery_id = '${at.lottery.id}'`
  const claimed = { ...id, status: `'claimed'`, claimed_at: 'now()' }
  const ofAgent = `agent_id = '${at.agentId}'`

  const list = (key: string, rows: Rows, by: By = secret, open = '', close = ''): LongList => ({
    key,
    by,
    rows,
    wrap: (text) => `{ ${open} ${text} ${close} }`,
  })
  const under = (open: string, key: string, rows: Rows) => list(key, rows, secret, `${open} {`, '}')
  const user = 'user(by: { externalId: "anna" })'
  const inLottery = `lottery(by: { slug: "${at.lottery.slug}" })`
  // Many have the same score.
  const users = copies('end_user', isUser, {
    ...id,
    external_id: random,
    games_played: '0',
    rewards_won: '0',
    lifetime_points: 'n % 50',
  })
  const history = rowsOf(
    copy('ledger_entry', ofUser, {
      ...id,
      reference: 'null',
      entry_no: `${at.user.entries} + n`,
    }),
    ([, to]) => `UPDATE end_user SET entries = ${at.user.entries + to} WHERE ${isUser}`,
  )
  const plays = rowsOf(
    copy('play', ofUser, {
      id: idOf(9),
      play_no: `${at.user.gamesPlayed} + n`,
      reward_tier: `(ARRAY['epic', 'rare', 'common'])[1 + n % 3]`,
    }),
    // The entry that paid for a play has its id.
    copy('ledger_entry', ofUser, { id: idOf(9), reference: 'null', entry_no: '1000000 + n' }),
    ([, to]) => `UPDATE end_user SET games_played = ${at.user.gamesPlayed + to} WHERE ${isUser}`,
  )
  const timeline = copies('user_activity', ofUser, {
    ...id,
    reference: 'null',
    occurred_at: anyTime,
  })
  const lotteries = copies('lottery', `id = '${at.lottery.id}'`, { ...id, slug: random })
  const agents = copies('arena_agent', `id = '${at.agentId}'`, {
    ...id,
    name: random,
    elo_rating: '1000 + n % 70',
  })
  const isGame = `id = '${at.game.id}'`
  const builds = (kind: number) =>
    copy('arena_build', `game_id = '${at.game.id}'`, { ...id, game_id: idOf(kind) })
  const games = rowsOf(copy('arena_game', isGame, { id: idOf(8), slug: random }), builds(8))
  const session = (id: string) => copy('arena_session', `game_id = '${at.game.id}'`, { id })
  const sessions = rowsOf(session('gen_random_uuid()'))
  const matches = copies('arena_match', ofPartner, id)
  const ofOneAgent = (key: string, rows: Rows): LongList => ({
    ...list(key, rows),
    wrap: (text) => `{ arena { agent(id: "${at.agentId}") { ${text} } } }`,
  })
  const others = (kind: number) =>
    copy('end_user', isUser, { id: idOf(kind), external_id: random, display_name: random })

  const ofDraw = `draw_id = '${at.drawId}'`
  const tickets = rowsOf(
    copy('lottery_ticket', ofLottery, {
      ...id,
      ticket_no: 'n + 1',
      entry_no: 'n + 1',
      ticket_ref: random,
    }),
    copy('lottery_win', ofDraw, { ticket_no: 'n + 1' }),
    ([, to]) => `UPDATE lottery_account SET entries = ${to + 1} WHERE ${ofLottery}`,
  )
  const inDraw = (key: string): LongList => ({
    ...list(key, tickets),
    wrap: (text) => `{ ${inLottery} { draw(id: "${at.drawId}") { ${text} } } }`,
  })
  const inCampaign = `campaign(by: { slug: "${at.slug}" })`
  const participants = rowsOf(
    others(2),
    copy('campaign_participant', ofUser, {
      ...id,
      user_id: idOf(2),
      external_id: random,
      total_points: 'n % 20',
    }),
  )
  const batches = copies('code_batch', mine, id)
  const codes = copies('campaign_code', `batch_id = '${at.batchId}'`, {
    ...id,
    redemption_id: 'gen_random_uuid()',
    hash: `'\\x' || md5(n::text)`,
  })
  const inBatch = (text: string) =>
    `{ node(id: "${nodeId('CodeBatch', at.batchId)}") { ... on CodeBatch { ${text} } } }`

  const members = copies('member', ofPartner, { ...id, email: random })
  const isGoal = `slug = 'goal'`
  const ofGoal = `goal_id IN (SELECT id FROM goal WHERE ${isGoal})`
  const ofStreak = `goal_id IN (SELECT id FROM goal WHERE slug = 'streak')`
  const goals = rowsOf(
    copy('goal', isGoal, { id: idOf(0), slug: random, position: 'n % 20' }),
    copy('goal_task', ofGoal, { id: idOf(0), goal_id: idOf(0) }),
  )
  const inStreak = 'goal(by: { slug: "streak" })'

  const entries = copies('audit_entry', `id = '${at.user.id}'`, { ...id, at: anyTime })

  const listed: Record<string, LongList> = {
    'Platform.auditLog': list('id', entries, admin, 'platform {', '}'),
    'Query.auditLog': list('id', entries, inTest),
    'Platform.arenaAgents': list('id', agents, admin, 'platform {', '}'),
    'Platform.arenaGames': list('id', games, admin, 'platform {', '}'),
    'Arena.games': list('id', games, secret, 'arena {', '}'),
    'Platform.lotteries': list(
      'id',
      lotteries,
      { ...admin, 'x-environment': tenant.environment },
      'platform {',
      '}',
    ),
    'Platform.members': list('id', members, admin, 'platform {', '}'),
    'Platform.partners': list(
      'id',
      copies('partner', `id = '${partner.partnerId}'`, { ...id, slug: random }),
      admin,
      'platform {',
      '}',
    ),
    'Arena.agents': list('id', agents, secret, 'arena {', '}'),
    'Arena.leaderboard': list('agent { id }', agents, secret, 'arena {', '}'),
    'Arena.matches': list('id', matches, secret, 'arena {', '}'),
    'ArenaAgent.ratingChanges': ofOneAgent(
      'number',
      rowsOf(
        copy('arena_rating', ofAgent, { number: 'n + 1', match_id: idOf(1) }),
        ([, to]) =>
          `UPDATE arena_agent SET total_matches = ${to + 1}, draws = ${to + 1} - wins - losses WHERE id = '${at.agentId}'`,
      ),
    ),
    'ArenaAgent.supporters': ofOneAgent(
      'name',
      rowsOf(
        others(1),
        copy('arena_supporter', ofAgent, { user_id: idOf(1), amount: '1 + n % 30' }),
      ),
    ),
    'ArenaGame.sessions': {
      ...list('id', sessions),
      wrap: (text) => `{ arena { game(by: { id: "${at.game.id}" }) { ${text} } } }`,
    },
    'Game.versions': under(
      'game(gameType: NEON_WHEEL)',
      'id',
      copies(
        'game_mechanic_version',
        `mechanic_id IN (SELECT id FROM game_mechanic WHERE ${mine} AND game_type = 'NEON_WHEEL')`,
        { ...id, version: 'n + 1' },
      ),
    ),
    ...(await versionLists(world, { ...at, list, inCampaign, inLottery })),
    'Campaign.codeBatches': under(inCampaign, 'id', batches),
    'Campaign.events': under(
      inCampaign,
      'id',
      copies('campaign_event', ofUser, { ...id, play_no: '1 + n', play_limit: 'null' }),
    ),
    'Campaign.participants': under(inCampaign, 'id', participants),
    'Campaign.referrals': under(
      inCampaign,
      'id',
      rowsOf(others(6), copy('referral', ofReferrer, { ...id, referee_id: idOf(6) })),
    ),
    'Campaign.instantWins': under(
      inCampaign,
      'id',
      copies('instant_win', ofUser, { ...id, code_hash: `'\\x' || md5(n::text)` }),
    ),
    'CodeBatch.codes': { ...list('id', codes), wrap: inBatch },
    'CodeBatch.redemptions': { ...list('uuid', codes), wrap: inBatch },
    'Campaign.leaderboard': under(inCampaign, 'participant { id }', participants),
    'User.lotteryTickets': under(user, 'id', tickets),
    'User.offers': under(user, 'id', copies('offer', ofUser, claimed)),
    'User.grants': under(user, 'id', copies('reward_grant', ofUser, { ...id, source_id: random })),
    'Query.goals': list('id', goals),
    'User.goals': under(user, 'goal { id }', goals),
    'User.streaks': under(
      user,
      'goal { id }',
      rowsOf(
        copy('goal', `slug = 'streak'`, { id: idOf(5), slug: random, position: 'n % 20' }),
        copy('goal_task', ofStreak, { id: idOf(5), goal_id: idOf(5) }),
        copy('goal_streak', ofStreak, { goal_id: idOf(5) }),
      ),
    ),
    'Goal.streaks': under(
      inStreak,
      'user { id }',
      rowsOf(others(10), copy('streak', ofUser, { user_id: idOf(10), length: 'n % 20' })),
    ),
    'Goal.streakRestorations': under(inStreak, 'id', copies('streak_restoration', ofStreak, id)),
    'User.goalCompletions': under(
      user,
      'id',
      copies('goal_completion', ofUser, { ...id, k: '1000 + n' }),
    ),
    'Goal.completions': under(
      'goal(by: { slug: "goal" })',
      'id',
      copies('goal_completion', ofGoal, { ...id, k: '5000 + n' }),
    ),
    'Query.offers': list(
      'id',
      copies('offer', ofUser, { ...id, status: `'claimed'`, claimed_at: 'now()' }),
    ),
    'Journey.stageChanges': {
      ...under(user, 'id', copies('stage_change', ofUser, id)),
      wrap: (text) => `{ ${user} { journey { ${text} } } }`,
    },
    'Lottery.draws': under(
      inLottery,
      'id',
      rowsOf(
        copy('lottery_draw', ofLottery, {
          // The draw that is complete has opened a second.
          ...id,
          draw_no: 'n + 2',
          status: `'SCHEDULED'`,
          seed: 'NULL',
        }),
        ([, to]) => `UPDATE lottery SET draws = ${to + 2} WHERE id = '${at.lottery.id}'`,
      ),
    ),
    'Lottery.tickets': under(inLottery, 'id', tickets),
    'LotteryDraw.tickets': inDraw('id'),
    'LotteryDraw.winners': inDraw('ticket { id }'),
    'Query.applications': list('id', copies('application', ofPartner, id), member),
    'Query.arenaAcceptances': list(
      'id',
      rowsOf(
        copy('arena_game', isGame, { id: idOf(3), slug: random }),
        builds(3),
        copy('arena_acceptance', ofPartner, { ...id, game_id: idOf(3) }),
      ),
      member,
    ),
    'Query.arenaAgents': list('id', agents, member),
    'Query.arenaEarnings': list(
      'id',
      rowsOf(
        session(idOf(4)),
        copy('account_entry', `holder = '${at.holder}'`, {
          ...id,
          entry_no: 'n + 1',
          source_id: idOf(4),
        }),
        ([, to]) => `UPDATE point_account SET entries = ${to + 1} WHERE name = '${at.holder}'`,
      ),
      member,
    ),
    'Query.arenaGames': list('id', games, member),
    'Query.arenaSessions': list('id', sessions, member),
    'Query.arenaMatches': list('id', matches, member),
    'Query.events': list('id', copies('event', mine, { ...id, position: 'next_feed_position()' })),
    'Query.leaderboard': list('user { id }', users),
    'Query.ledgerEntries': list('id', history),
    'Query.lotteries': list('id', lotteries),
    'Query.plays': list('id', plays),
    'Query.invitations': list(
      'id',
      copies('invitation', ofPartner, {
        ...id,
        email: random,
        token_digest: `'\\x' || md5(n::text)`,
      }),
      member,
    ),
    'Query.members': list('id', members, member),
    'Query.users': list('id', users),
    'Query.webhookDeliveries': list(
      'id',
      copies('webhook_delivery', mine, {
        ...id,
        event_id: 'gen_random_uuid()',
        created_at: anyTime,
      }),
    ),
    'Viewer.signIns': list(
      'id',
      copies('sign_in', `id = '${signInOf(member)}'`, id),
      member,
      'viewer {',
      '}',
    ),
    'WebhookEndpoint.deliveries': under(
      `webhookEndpoint(id: "${at.user.id}")`,
      'id',
      copies('webhook_delivery', `endpoint_id = '${at.user.id}'`, {
        ...id,
        event_id: 'gen_random_uuid()',
        created_at: anyTime,
      }),
    ),
    'Segment.users': {
      ...list('externalId', users),
      wrap: (text) => `{ node(id: "${at.segmentId}") { ... on Segment { ${text} } } }`,
    },
    'User.ledgerEntries': under(user, 'id', history),
    'User.participants': under(
      user,
      'id',
      rowsOf(
        copy('campaign', `slug = '${at.slug}'`, { id: idOf(7), slug: random }),
        copy('campaign_participant', ofUser, { ...id, campaign_id: idOf(7) }),
      ),
    ),
    'User.plays': under(user, 'id', plays),
    'User.notes': list('id', copies('user_note', ofUser, id), inTest, `${user} {`, '}'),
    'User.activities': under(user, 'id', timeline),
  }

  /** The lists of what a partner has in an environment follow from the data model. */
  const derived: Record<string, LongList> = {}
  for (const [place, type] of connections)
    if (place.startsWith('Query.') && !listed[place] && nodeTypes.includes(type))
      if (await findOrMakeRow(world, type, tenant)) {
        const [table, columns] = await copiesOf(world, type)
        derived[place] = list('id', copies(table, mine, columns))
      }
  return { ...derived, ...listed }
}
