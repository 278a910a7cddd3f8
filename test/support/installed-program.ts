import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Where Debian puts programs for administrators, which is not on every path. */
const searched = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']

/** Where the program is, if this machine has one that runs. */
export function findInstalled(name: string, versionFlag = '--version'): string | undefined {
  return searched
    .map((folder) => join(folder, name))
    .find((program) => {
      try {
        execFileSync(program, [versionFlag], { stdio: 'ignore' })
        return true
      } catch {
        return false
      }
    })
}
