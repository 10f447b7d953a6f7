/** Settings that are read from files, as Docker, Kubernetes and systemd hand over secrets. */
import { readFileSync, statSync } from 'node:fs'

/** No setting is as long as this. A larger file is the wrong one. */
const maxBytes = 64 * 1024

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user may not read it',
  ENOTDIR: 'a part of the path is not a folder',
}

/**
 * The text of a file without the line break at its end.
 * @throws Error that says what is wrong with the file, without showing its content
 */
const readSetting = (path: string): string => {
  const info = statSync(path)
  if (!info.isFile()) throw new Error('it is not a file')
  if (info.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (text === '') throw new Error('the file is empty')
  if (/[\r\n\0]/.test(text)) throw new Error('the file has more than one line')
  return text
}

/**
 * The settings of these names that are set, each from its variable or from the file that `NAME_FILE` names. A variable
 * without text counts as unset. `faults` has a line for each file that cannot be used.
 */
export const readSettings = (
  names: readonly string[],
  env: Record<string, string | undefined>,
): { settings: Record<string, string>; faults: string[] } => {
  const settings: Record<string, string> = {}
  const faults: string[] = []
  for (const name of names) {
    const { [name]: text, [`${name}_FILE`]: path } = env
    if (text) settings[name] = text
    if (!path) continue
    if (text) faults.push(`${name}_FILE: must not be set together with ${name}`)
    else
      try {
        settings[name] = readSetting(path)
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException
        faults.push(`${name}_FILE: cannot use ${path}: ${reasons[code] ?? message}`)
      }
  }
  return { settings, faults }
}
