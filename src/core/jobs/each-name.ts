import { systemAccess } from '../access.ts'
import type { Repository, WriteSession } from '../session.ts'
import type { JobProgress } from './worker.ts'

/** Of the payload of a job that does something for many names: the last that it is done for. */
export interface NameByName {
  readonly after?: string
}

interface Names<Payload> {
  readonly names: readonly string[]
  readonly atOnce: number
  readonly payload: Payload
  readonly progress: JobProgress<Payload>
}

/** Those for which it is not done yet, in the order in which it is. */
export function namesLeft(names: readonly string[], { after = '' }: NameByName): readonly string[] {
  return names.filter((name) => name > after).toSorted()
}

/** Does something for all that are left, some in a transaction with the note that it is done: run again, the job goes on behind it. */
export async function doForEach<Payload extends NameByName>(
  repository: Repository,
  { names, atOnce, payload, progress }: Names<Payload>,
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
