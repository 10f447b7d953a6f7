/** Row 20: one process of the server against one for each core. */
import { availableParallelism } from 'node:os'
import type { Bench } from '../bench.ts'
import { award, play, restRead } from '../loads.ts'
import { compare, type Result } from '../report.ts'
import { alternate, httpContender } from '../rounds.ts'

const loads = {
  'POST /v1/points/award': award,
  'POST /v1/games/play': play,
  'GET /v1/users/{id}/sdk-balance': restRead,
}

export const workersRow = async (bench: Bench): Promise<Result[]> => {
  const workers = Math.max(2, availableParallelism())
  const single = await bench.startOurs()
  const several = await bench.startOurs({ WORKERS: String(workers) })
  const results: Result[] = []
  for (const [title, load] of Object.entries(loads))
    for (const connections of [64, 256]) {
      const request = load(bench.demo)
      const [rival, ours] = (await alternate(
        [
          httpContender('1 worker', { port: single.port, connections, request }),
          httpContender(`${workers} workers`, { port: several.port, connections, request }),
        ],
        bench.settle,
      )) as [number, number]
      const what = `${title}, ${connections} connections, WORKERS=${workers}`
      results.push(compare({ row: '20', what, against: 'WORKERS=1', ours, rival, goal: 1 }))
    }
  await single.stop()
  await several.stop()
  return results
}
