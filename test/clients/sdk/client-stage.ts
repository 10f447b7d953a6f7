/** `@tessera/client` as it is packed, beside a server that answers through an unsteady proxy. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createWorld } from '../../world.ts'
import { createProject } from './project.ts'
import { createUnsteadyProxy } from './unsteady-proxy.ts'

/** @param files of the project, which also has these packages */
export const createClientStage = async (packages: string[], files: Record<string, string> = {}) => {
  const world = await createWorld()
  const proxy = await createUnsteadyProxy(world.base)
  const project = await createProject(['client'], packages, files)
  const file = join(project.folder, 'node_modules/@tessera/client/dist/client.js')
  // The types are checked with the examples.
  const sdk = await import(pathToFileURL(file).href)
  return {
    world,
    proxy,
    project,
    client: (options: object = {}) =>
      sdk.createTessera({
        baseUrl: proxy.url,
        publicKey: world.keys.public,
        secretKey: world.keys.secret,
        ...options,
      }),
    /** The code of the error of a call, or OK. */
    codeOf: (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'OK',
        (error) => (sdk.isTesseraError(error) ? error.code : error.name),
      ),
    end: async () => {
      await proxy.end()
      await world.end()
      project.end()
    },
  }
}

export type ClientStage = Awaited<ReturnType<typeof createClientStage>>
