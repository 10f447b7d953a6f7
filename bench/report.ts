/** The results as a table. */
import { cpus, totalmem } from 'node:os'

export type Result = {
  row: string
  what: string
  against: string
  ours: string
  rival: string
  ratio: string
  goal: string
  met: 'yes' | 'no' | '—'
}

const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`

/** Ours against a rival, both per second; null for a rival that is not installed here. */
export const compare = (measured: {
  row: string
  what: string
  against: string
  ours: number
  rival: number | null
  goal: number
}): Result => {
  const { row, what, against, ours, rival, goal } = measured
  const ratio = rival === null ? null : ours / rival
  return {
    row,
    what,
    against,
    ours: rate(ours),
    rival: rival === null ? 'not here' : rate(rival),
    ratio: ratio === null ? '—' : `${ratio.toFixed(2)} ×`,
    goal: `≥ ${goal} ×`,
    met: ratio === null ? '—' : ratio >= goal ? 'yes' : 'no',
  }
}

/** Ours against a limit that it should stay below. */
export const limit = (measured: {
  row: string
  what: string
  ours: number
  unit: string
  goal: number
}): Result => {
  const { row, what, ours, unit, goal } = measured
  return {
    row,
    what,
    against: '—',
    rival: '—',
    ratio: '—',
    ours: `${unit === 's' || unit === '×' ? ours.toFixed(2) : Math.round(ours)} ${unit}`,
    goal: `≤ ${goal} ${unit}`,
    met: ours <= goal ? 'yes' : 'no',
  }
}

export const formatTable = (results: Result[]): string => {
  const head = ['#', 'Work', 'Against', 'Ours', 'Rival', 'Ratio', 'Goal', 'Met']
  const lines = [
    head,
    ...results.map((r) => [r.row, r.what, r.against, r.ours, r.rival, r.ratio, r.goal, r.met]),
  ]
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] as string).length)))
  const [first, ...others] = lines.map(
    (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [first, rule, ...others].join('\n')
}

export const formatReport = (
  results: Result[],
  more: { postgresVersion: string; score: string; method: string; faults: string[] },
): string => {
  const [cpu] = cpus()
  const machine = `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`
  const date = new Date().toISOString().slice(0, 10)
  const faults = more.faults.map((fault) => `- ${fault}`).join('\n')
  return `# Last results

${date}, ${machine}, PostgreSQL ${more.postgresVersion}, Node ${process.versions.node}. ${more.method}

The machine by itself: ${more.score}.

${formatTable(results)}
${faults && `\nWrong answers under load:\n${faults}\n`}`
}
