/** Calls of the operations of exports. */
import type { World } from '../world.ts'

type By = Parameters<World['graphql']>[2]

const fields =
  'id uuid kind format status rowCount byteCount fileName url finishedAt expiresAt actorId'

export const exporting = (world: World) => {
  const send = async (
    name: 'startExport' | 'cancelExport' | 'deleteExport',
    input: object,
    by?: By,
  ) => {
    const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
    const { body } = await world.graphql(
      `mutation ($input: ${Name}Input!) { result: ${name}(input: $input) { __typename
        ... on ${Name}Payload { ${name === 'deleteExport' ? 'deletedId export { id }' : `export { ${fields} }`} }
        ... on Error { code }
        ${name === 'startExport' ? '... on LimitError { limit current }' : ''}
        ... on ValidationError { errors { path } }
        ${name === 'cancelExport' ? '... on NotActiveError { status }' : ''} } }`,
      { input },
      by,
    )
    if (body.errors) throw new Error(JSON.stringify(body.errors))
    return body.data.result
  }
  return {
    start: (what: string, more: object = {}, by?: By) =>
      send('startExport', { kind: what, format: 'JSONL', ...more }, by),
    cancel: (exportId: string, by?: By) => send('cancelExport', { exportId }, by),
    delete: (exportId: string, by?: By) => send('deleteExport', { exportId }, by),
    read: async (id: string, by?: By) => {
      const { body } = await world.graphql(
        `query ($id: ID!) { node(id: $id) { ... on Export { ${fields} } } }`,
        { id },
        by,
      )
      return body.data.node
    },
    /** The link of an export at the address of the world's server. */
    here: (url: string) => url.replace(/^https?:\/\/[^/]+/, world.base),
  }
}
