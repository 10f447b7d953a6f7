/** After a failed test, prints which programs are still running: one that hangs is the cause of a timeout. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach } from 'vitest'
import { runningPrograms } from './server-process.ts'

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return '' // it has ended, or this is not Linux
  }
}

/** The threads of a process, each with the kernel function in which it waits. */
const threadsOf = (pid: number): string[] => {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).map(
      (id) => `${read(`${folder}/${id}/comm`)} ${read(`${folder}/${id}/wchan`)}`,
    )
  } catch {
    return []
  }
}

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const [pid, { command, output }] of runningPrograms)
    console.log(
      `still running: ${command}\n${threadsOf(pid).join('\n')}\n${output().slice(-2_000)}`,
    )
})
