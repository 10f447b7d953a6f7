/** Shows where a long command is: on a terminal in one line, otherwise a line for each step and every ten seconds. */

export type Progress = (step: string, done?: number, total?: number) => void

const isTerminal = () => process.stderr.isTTY

export const createProgress = (): Progress => {
  const startedAt = performance.now()
  let [last, shownAt] = ['', 0]
  return (step, done, total) => {
    const now = performance.now()
    const isNew = step !== last
    if (!isNew && now - shownAt < (isTerminal() ? 200 : 10_000)) return
    ;[last, shownAt] = [step, now]
    const count = done ? `: ${done.toLocaleString('en')}` : ''
    const all = done && total ? ` of ${total.toLocaleString('en')}` : ''
    const line = `${((now - startedAt) / 1000).toFixed(0).padStart(4)} s  ${step}${count}${all}`
    process.stderr.write(isTerminal() ? `${isNew ? '\n' : '\r\x1b[K'}${line}` : `${line}\n`)
  }
}

/** Leaves the line, so that a result has its own. */
export const endProgress = (): void => {
  if (isTerminal()) process.stderr.write('\n')
}
