/** Row 18: an export of many ledger entries takes no more memory than one of few. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Bench, ownDatabase, tempFolder } from '../bench.ts'
import { atEnd, endChild } from '../child.ts'
import type { ExportMeasured } from '../export.ts'
import { limit, type Result } from '../report.ts'

/** `BENCH_ENTRIES=100000` for a smoke test. */
const entries = Number(process.env.BENCH_ENTRIES ?? 2_000_000)

export const exportRow = async (bench: Bench): Promise<Result[]> => {
  const { PATH = '', HOME = '' } = process.env
  const script = fileURLToPath(new URL('../export.ts', import.meta.url))
  const child = spawn(process.execPath, [script, String(entries)], {
    env: { PATH, HOME, DATA_DIR: tempFolder(), DATABASE_URL: await ownDatabase(bench, 'export') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(() => endChild(child, 'SIGTERM'))
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error('the export failed')
  const { rowsPerSecond, memoryBeforeMb, memoryPeakMb } = JSON.parse(output) as ExportMeasured
  const row = '18'
  const many = entries.toLocaleString('en')
  return [
    {
      row,
      what: `an export of ${many} ledger entries, rows`,
      against: '—',
      rival: '—',
      ratio: '—',
      ours: `${Math.round(rowsPerSecond).toLocaleString('en')}/s`,
      goal: '≥ 50,000/s',
      met: rowsPerSecond >= 50_000 ? 'yes' : 'no',
    },
    limit({
      row,
      what: `the memory it takes beyond that after its first tenth, ${many} entries`,
      ours: memoryPeakMb - memoryBeforeMb,
      unit: 'MB',
      goal: 100,
    }),
  ]
}
