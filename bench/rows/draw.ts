/** Row 10: a draw of a million tickets, against one sequential scan of the table they are in. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { atEnd, endChild } from '../child.ts'
import type { DrawMeasured } from '../draw.ts'
import { limit, type Result } from '../report.ts'
import { median } from '../rounds.ts'

/** `BENCH_TICKETS=20000` for a smoke test. */
const tickets = Number(process.env.BENCH_TICKETS ?? 1_000_000)

export const drawRow = async ({ postgres, demo }: Bench): Promise<Result[]> => {
  const { PATH = '', HOME = '' } = process.env
  const script = fileURLToPath(new URL('../draw.ts', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', script, demo.partnerId, String(tickets)], {
    env: { PATH, HOME, DATABASE_URL: postgres.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(() => endChild(child, 'SIGTERM'))
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error('the draw failed')
  const { drawSeconds, scanSeconds, wins, memoryBeforeMb, memoryPeakMb } = JSON.parse(
    output,
  ) as DrawMeasured
  const scan = median(scanSeconds)
  const row = '10'
  const many = tickets.toLocaleString('en')
  return [
    {
      row,
      what: `a draw of ${many} tickets, ${wins.toLocaleString('en')} winning lines`,
      against: 'one sequential scan of the table',
      ours: `${drawSeconds.toFixed(2)} s`,
      rival: `${scan.toFixed(2)} s`,
      ratio: `${(drawSeconds / scan).toFixed(1)} ×`,
      goal: '≤ 10 ×',
      met: drawSeconds <= 10 * scan ? 'yes' : 'no',
    },
    limit({
      row,
      what: `the memory it takes beyond that at rest, ${many} tickets`,
      ours: memoryPeakMb - memoryBeforeMb,
      unit: 'MB',
      goal: 100,
    }),
  ]
}
