import type { Document } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'

// Few enough for memory, many enough for a statement to be worth its way.
const readAtOnce = 500

/** What is below a path, in the order of paths, so that a parent comes before its children; page by page. */
export async function* everyPageBelow({ tx }: WriteSession, path: string): AsyncGenerator<readonly Document[]> {
  for (let after: string | undefined; ; ) {
    const page = await tx.documents.listBelow(path, after, readAtOnce)
    if (page.length > 0) yield page
    if (page.length < readAtOnce) return
    after = page.at(-1)?.path ?? undefined
  }
}
