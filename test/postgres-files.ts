/**
 * The test files that run on PostgreSQL, too, by what may differ there: races and locks, jobs, statements and the order
 * of their rows, migrations and commands, values that only a server refuses, and the contract of the ledger. All other
 * files run once, on the embedded database.
 */
export const postgresFiles = [
  'access/rights',
  'accounts/{api-keys,brand,closed-partner,key-rotation,members,partners,password-reset,roles,second-factor,sign-in}',
  'accounts/audit-log/{audited-tables,changes-by-hand,settings-versions,statement-count,two-nodes}',
  'arena/matches/{both-fail,crash,fair-share,match-locks,partner,play,stream}',
  'arena/sessions/{arena-flows,arena-jobs,arena-life,arena-parallel,arena-result,session-locks,session-moves}',
  'campaigns/{campaign-search,code,event,guards,hostile,instant-win,marks,parallel,referral,reversal,simulation}',
  'exports/{crash,export,export-filter,exported-lists,export-link,large-export}',
  'games/{fair-plays,free-plays,mechanic-version,play,play-parallel,play-search,seed-deadlock}',
  'graphql/{every-node,filters,lists,nested-reads,nodes,pages,subscriptions}',
  'journeys/**/*',
  'kit/{backfill,batch-readers,batch-writers,connection,db,driver,hosts,idempotency,lock-order,locked-rows,log-content}',
  'kit/{master-key,expired-rows,months,notifications,outage,pubsub,pubsub-connection,watched-callers}',
  'leaderboard/**/*',
  'lifecycle/{backup-command,check-command,data-dir,data-dir-lock,demo-past,documented-commands,growth,jobs}',
  'lifecycle/{metrics,migration-kinds,migrations,npm-start,operator-commands,process,production,rotation,triggers}',
  'lotteries/{available,closing-race,crash,draw-tickets,draws,entries,tree,user-tickets}',
  'points/**/*',
  'programme/{award-probe,claim,counters,decider-crash,fulfillment,give,goal-locks,goal-overview,goal-races,grant-erasure,grant-races,payer,payer-crash}',
  'programme/{shop,streak-deadlines,streak-histories,streak-restoration,streaks}',
  'rest/{fuzz,hostile-body,isolation,large-numbers,short-lived}',
  'statistics/**/*',
  'users/**/*',
  'webhooks/{crash,delivery,endpoint-statistics,fan-out,purge,replay,retry-rules}',
].map((name) => `test/${name}.test.ts`)
