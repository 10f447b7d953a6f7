/** Calls of the operations that correct wallets by hand. */
import type { World } from '../world.ts'

const entry = `uuid eventType points balanceAfter reference sourceId isReversible
  correction { reason reverses { uuid } } reversal { uuid }`

const fields = {
  adjustPoints: `... on AdjustPointsPayload {
    ledgerEntry { ${entry} } user { balance lifetimePoints score } }`,
  reverseLedgerEntry: `... on ReverseLedgerEntryPayload {
    ledgerEntry { ${entry} } user { balance lifetimePoints score } }
    ... on AlreadyReversedError { reversal { uuid } }`,
}

type By = Parameters<World['graphql']>[2]

export const pointsByHand = (world: World) => {
  const send = async (name: keyof typeof fields, input: object, by?: By) => {
    const { body } = await world.graphql(
      `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
        result: ${name}(input: $input) { __typename ${fields[name]} ... on Error { code }
          ... on NotFoundError { resource } ... on InsufficientPointsError { balance price }
          ${name === 'adjustPoints' ? '... on DuplicateReferenceError { firstEntry { uuid } }' : ''}
        } }`,
      { input: { user: { externalId: 'x' }, points: 1, reason: 'x', ...input } },
      by,
    )
    return body
  }
  const result = async (name: keyof typeof fields, input: object, by?: By) => {
    const body = await send(name, input, by)
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data.result
  }
  return {
    send,
    adjust: (userId: string, points: number, more = {}, by?: By) =>
      result('adjustPoints', { user: { externalId: userId }, points, ...more }, by),
    reverse: (ledgerEntryId: string, reason = 'x', by?: By) =>
      result(
        'reverseLedgerEntry',
        { ledgerEntryId, reason, user: undefined, points: undefined },
        by,
      ),
    /** The entries of a user, newest first. */
    history: async (userId: string, by?: By) => {
      const { body } = await world.graphql(
        `query ($id: String!) { user(by: { externalId: $id }) {
          ledgerEntries(first: 50) { nodes { ${entry} } } } }`,
        { id: userId },
        by,
      )
      return body.data.user.ledgerEntries.nodes
    },
  }
}
