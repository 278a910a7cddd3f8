import type { Json } from '../../base/json.ts'
import { systemAccess } from '../access.ts'
import type { Repository, WriteSession } from '../session.ts'
import type { JobProgress } from './worker.ts'

/** The payload of a job that does something for many names, with the last that it is done for. */
export type NameByName = { readonly [name: string]: Json } & { readonly after?: string }

interface Names {
  readonly names: readonly string[]
  readonly atOnce: number
  readonly payload: NameByName
  readonly progress: JobProgress
}

/** Those for which it is not done yet, in the order in which it is. */
export function namesLeft(names: readonly string[], { after = '' }: { readonly after?: string }): readonly string[] {
  return names.filter((name) => name > after).toSorted()
}

/** Does something for all that are left, some in a transaction with the note that it is done: run again, the job goes on behind it. */
export async function doForEach(
  repository: Repository,
  { names, atOnce, payload, progress }: Names,
  act: (session: WriteSession, some: readonly string[]) => Promise<void>,
): Promise<void> {
  const left = namesLeft(names, payload)
  for (let first = 0; first < left.length; first += atOnce) {
    const some = left.slice(first, first + atOnce)
    await systemAccess(repository).write(async (session) => {
      await act(session, some)
      await progress.note(session.tx, { ...payload, after: some.at(-1) ?? '' })
    })
  }
}
