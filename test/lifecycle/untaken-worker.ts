/** A worker that is slow to take connections, on the port of its parent. */
import { createServer } from 'node:http'

createServer((_, response) => {
  for (const end = Date.now() + 1; Date.now() < end; );
  response.end()
}).listen(Number(process.env.UNTAKEN_PORT), '127.0.0.1')
