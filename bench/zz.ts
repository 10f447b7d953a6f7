import { prepareBench } from './bench.ts'
import { runToEnd } from './child.ts'
import { runLoad } from './load.ts'
import * as loads from './loads.ts'
import { httpContender } from './rounds.ts'
const [load = 'restRead', secs = '10', conns = '64', folder, sample] = process.argv.slice(2)
await runToEnd(async () => {
  const bench = await prepareBench(folder || undefined)
  const { pid, port, stop } = await bench.startOurs({ LOG_LEVEL: 'error' })
  const cpu: number[] = [], others: number[] = []
  const c = httpContender(load, { pid, port, connections: Number(conns), request: (loads as any)[load](bench.demo) }, cpu, others)
  await c.measure(3)
  const n = sample ? Number(secs) / Number(sample) : 3
  for (let i = 0; i < n; i++) {
    const r = await c.measure(sample ? Number(sample) : Number(secs) / 3)
    console.log(Math.round(r), 'cpu', cpu.at(-1)?.toFixed(1), 'others', others.at(-1)?.toFixed(1))
    if (sample) {
      const { execFileSync } = await import('node:child_process')
      console.log(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim(), Object.entries({}).length)
      const t = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      for (const l of t.split('\n')) if (/^(nodejs_(heap|external)|process_resident)/.test(l)) console.log('   ', l)
    }
  }
  await stop()
  return true
})
