import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import type { World } from '../world.ts'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** The server of a partner: the pages of a folder, and tokens for the user who is signed in. */
export const startPartnerServer = async (world: World, folder: string): Promise<Server> => {
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/tessera-token') {
      const { body } = await world.post('/v1/users/alice/token', world.keys.secret, {})
      return response.end(body.data.token)
    }
    const file = url === '/' ? '/index.html' : url
    try {
      const content = readFileSync(join(folder, file))
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
