/** Longer ones are no extension, but a sentence with a dot in it. */
const extension = /\.[^.\s/\\]{1,20}$/

/**
 * What a file is called whose name another one has: who had it, and when. Names that begin with a dot have no extension.
 * @example conflictedName('Plan.odt', 'Ann Lee', new Date(0)) // Plan (Ann Lee - 1970-01-01 00-00).odt
 */
export function conflictedName(name: string, user: string, now: Date): string {
  const found = extension.exec(name)
  const end = found === null || found.index === 0 ? '' : found[0]
  const moment = now.toISOString().slice(0, 16).replace('T', ' ').replace(':', '-')
  return `${name.slice(0, name.length - end.length)} (${user} - ${moment})${end}`
}
