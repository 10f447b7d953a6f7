/**
 * The address of the database to which a command copies, which may contain a password. It is a setting, because everybody
 * on a machine can read the arguments of its processes.
 */
import { readSettings } from '../kit/config/setting-files.ts'
import { UsageError } from './command.ts'

const name = 'TARGET_DATABASE_URL'

export const isUrl = (place: string): boolean => /^\w+:\/\//.test(place)

/** @throws UsageError if the setting cannot be used */
export const readTargetUrl = (): string | undefined => {
  const { settings, faults } = readSettings([name], process.env)
  const [fault] = faults
  if (fault) throw new UsageError(fault)
  const { [name]: url } = settings
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(`${name} must be a URL like postgresql://user@host/database`)
  return url
}

/**
 * Refuses an address among the arguments without repeating it.
 * @param instead where it belongs
 * @throws UsageError
 */
export const refuseUrl = (option: string, value: string | undefined, instead = name): void => {
  if (value !== undefined && isUrl(value))
    throw new UsageError(
      `${option} takes no URL, because others can read arguments: set ${instead}, or name a file in ${instead}_FILE`,
    )
}
