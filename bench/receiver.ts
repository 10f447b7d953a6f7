/** A webhook receiver that accepts everything, in a separate process; reports its port like our server. */
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(request.url === '/readyz' ? 200 : 204).end())
}).listen(Number(process.env.PORT), '127.0.0.1')
