import { z } from 'zod'
import { actorOf } from '../accounts/actor.ts'
import { findPartners } from '../accounts/partner.ts'
import { actorField, actorIdField } from '../accounts/viewer.graphql.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { requireCaller, requireRight } from '../kit/access/context.ts'
import { changesOf } from '../kit/database/pubsub.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { encodeNodeId, nodeId } from '../kit/node-id.ts'
import type { Runtime } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { enumType } from '../kit/schema/input.ts'
import { list } from '../kit/schema/list.ts'
import { lookup } from '../kit/schema/lookup.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { rows } from '../kit/schema/rows.ts'
import { streamOf } from '../kit/streams/broadcast.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import { check } from '../kit/validation.ts'
import {
  cancelExport,
  deleteExport,
  exportStatusOf,
  exportTopic,
  findExport,
  maxOpenExports,
  rightOfKind,
  StartExport,
  startExport,
} from './export.ts'
import { linkOf } from './export-link.ts'
import { fileNameOf } from './export-name.rules.ts'

const KindRef = enumType('ExportKind', 'What an export has the rows of.', {
  LEDGER: 'Ledger entries, user by user.',
  USERS: 'Users, by external id.',
  PLAYS: 'Plays of games of chance, user by user.',
  CODES: 'Codes of one batch, without their texts, which are not stored.',
  TICKETS: 'Tickets of lotteries, lottery by lottery.',
  DELIVERIES: 'Deliveries of webhooks, oldest first.',
  COMPLETIONS: 'Completions of goals, oldest first, also those that were revoked.',
  GRANTS: 'Grants of rewards, oldest first.',
  OFFERS: 'Offers to users, oldest first, with when they were claimed.',
  INSTANT_WINS:
    'Prizes of the instant win of one campaign, oldest first, with when they were redeemed and handed out.',
  EVENTS: 'Events, in the order of their commits.',
  AUDIT_LOG:
    'The audit log of the environment, oldest first, with what belongs to no environment. Requires AUDIT_READ, too, which only members have.',
})

const FormatRef = enumType('ExportFormat', 'The format of the file of an export.', {
  JSONL: 'A JSON object in each line.',
  CSV: "Comma-separated, with a header. A text that a spreadsheet would take for a formula begins with '.",
})

const StatusRef = enumType('ExportStatus', 'The status of an export.', {
  QUEUED: 'Waiting for its turn.',
  RUNNING: 'Rows are being written.',
  COMPLETED: 'The file can be fetched.',
  FAILED: 'The file could not be made. Start another export.',
  CANCELLED: 'It was cancelled.',
  EXPIRED: 'The file was deleted after a day.',
})

const ExportRef = builder.prismaNode('DataExport', {
  name: 'Export',
  description:
    'A file with rows of the environment, made in the background. Rows that are written meanwhile may be in it or not.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('secret', 'EXPORT'),
  fields: (t) => ({
    kind: t.expose('kind', { type: KindRef, description: 'What it has the rows of.' }),
    format: t.expose('format', { type: FormatRef, description: 'The format of the file.' }),
    status: t.field({
      type: StatusRef,
      description: 'Its progress.',
      resolve: (found, _, { clock }) => exportStatusOf(found, clock()),
    }),
    rowCount: t.expose('rows', { type: 'SafeInt', description: 'Rows written so far.' }),
    byteCount: t.expose('textBytes', {
      type: 'SafeInt',
      description: 'Size of the text so far, in bytes; it is sent compressed to who accepts gzip.',
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Link to the file, for a day. Who has it needs no key. Null unless the status is COMPLETED, and once the key or member that started the export may not export any more. Null for an AUDIT_LOG to who may not read it. With `&bom=1` after it, a file in CSV begins with a byte order mark, by which spreadsheets recognize UTF-8, and is not compressed.',
      resolve: (found, _, ctx) =>
        requireCaller(ctx, 'secret', 'EXPORT').rights.includes(rightOfKind(found.kind))
          ? linkOf(ctx, found)
          : null,
    }),
    fileName: t.string({
      description:
        'The name of the file, which says what it has and when: `ledger-live-2026-11.csv`. Days are those of the time zone of the partner.',
      resolve: async (found, _, ctx) =>
        fileNameOf(found, (await load(ctx, findPartners, found.partnerId)).timeZone),
    }),
    actor: t.field(actorField),
    actorId: t.id(actorIdField),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

list('exports', {
  description: "The exports of the caller's environment, newest first.",
  key: 'secret',
  right: 'EXPORT',
  of: ExportRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ caller, order, ctx }) => rows(ofTenant(ctx.db, caller).dataExport, { order }),
})

mutation('startExport', {
  description: `Starts an export. At most ${maxOpenExports} of an environment are open at once.`,
  key: 'secret',
  right: 'EXPORT',
  input: StartExport,
  payload: { export: ExportRef },
  errors: [
    'RIGHT_REQUIRED',
    'CODE_BATCH_NOT_FOUND',
    'CAMPAIGN_NOT_FOUND',
    'USER_NOT_FOUND',
    'SEGMENT_NOT_FOUND',
    'EXPORT_LIMIT_REACHED',
  ],
  price: 10_000,
  prepare: async (input, _, caller) => {
    requireRight(caller, rightOfKind(input.kind))
    return input
  },
  resolve: async (input, ctx, caller) => ({
    export: await startExport(ctx, { ...actorOf(caller), ...input }),
  }),
})

const exportId = () => nodeId('Export').describe('The export.')

mutation('cancelExport', {
  description: 'Cancels an export that is queued or running.',
  key: 'secret',
  right: 'EXPORT',
  input: z.object({ exportId: exportId() }).describe('An export to cancel.'),
  payload: { export: ExportRef },
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_ENDED'],
  resolve: async (input, ctx) => ({ export: await cancelExport(ctx, input) }),
})

mutation('deleteExport', {
  description:
    'Deletes an export with its file. The link ends, and an export that is being made stops.',
  key: 'secret',
  right: 'EXPORT',
  input: z.object({ exportId: exportId() }).describe('An export to delete.'),
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted export.' },
    export: { type: ExportRef, description: 'The deleted export, as it was last.' },
  },
  errors: ['EXPORT_NOT_FOUND'],
  resolve: async (input, ctx) => ({
    deletedId: encodeNodeId('Export', input.exportId),
    export: await deleteExport(ctx, input),
  }),
})

/** An export now, and after each of its changes until it has ended. */
async function* followExport(
  runtime: Runtime,
  key: Tenant & { exportId: string },
  signal: AbortSignal,
): AsyncGenerator<DataExport> {
  const about = key.exportId
  for await (const _ of changesOf(runtime.pubsub, exportTopic, { about, signal })) {
    const found = await findExport(runtime, key)
    if (!found) return
    yield found
    if (found.finishedAt) return
  }
}

builder.subscriptionField('exportChanged', (t) =>
  t.field({
    type: ExportRef,
    description: 'An export now, and whenever it has made progress, until it has ended.',
    authScopes: { key: ['secret', 'EXPORT'] },
    args: { exportId: t.arg.id({ required: true, description: 'The export.' }) },
    subscribe: async (_, args, ctx) => {
      const tenant = tenantOf(requireCaller(ctx, 'secret', 'EXPORT'))
      const key = { ...tenant, ...check(z.object({ exportId: exportId() }), args) }
      if (!(await findExport(ctx, key))) throw new TesseraError('EXPORT_NOT_FOUND')
      return streamOf((signal) => followExport(ctx, key, signal))
    },
    resolve: (found) => found,
  }),
)

lookup('export', ExportRef, { description: 'An export.', key: 'secret', right: 'EXPORT' })
