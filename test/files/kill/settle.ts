import type { DatabasePlace } from '../../support/database-place.ts'
import { findFlaws } from '../../support/repository-flaws.ts'
import { type Attached, describeAttached, isSame, type Journal, leaveOver, type Unanswered } from './journal.ts'

interface Stored {
  readonly id: string
  readonly name: string
  readonly attached: Attached
}

/**
 * Compares the journal with the database and gives every promise that was broken, as a sentence. What was unanswered is settled: the
 * journal then says what the database says. A batch stays in the journal unless a document has got its files.
 */
export async function settle(journal: Journal, place: DatabasePlace): Promise<readonly string[]> {
  const stored = await readStored(place)
  const broken = [...journal.unanswered].flatMap((write) => settleOne(journal, stored, write))
  journal.unanswered.clear()
  for (const [id, attached] of journal.documents) {
    const found = stored.get(id)
    if (found === undefined) broken.push(`${id} was acknowledged and is gone`)
    else if (!isSame(found.attached, attached))
      broken.push(`${id} has ${describeAttached(found.attached)}, but was acknowledged with ${describeAttached(attached)}`)
  }
  for (const id of stored.keys()) if (!journal.documents.has(id)) broken.push(`${id} was never asked for, or was removed`)
  return [...broken, ...(await findFlaws(place))]
}

async function readStored(place: DatabasePlace): Promise<ReadonlyMap<string, Stored>> {
  const column = place.engine === 'sqlite' ? 'properties' : 'properties::text'
  const rows = await place.query(
    `SELECT id, name, ${column} AS properties FROM documents WHERE path LIKE '/default-domain/workspaces/%'`,
  )
  return new Map(
    rows.map(({ id, name, properties }) => [
      String(id),
      { id: String(id), name: String(name), attached: attachedIn(JSON.parse(String(properties))) },
    ]),
  )
}

interface StoredFiles {
  readonly 'file:content'?: { readonly digest: string } | null
  readonly 'files:files'?: readonly { readonly file: { readonly digest: string } | null }[]
}

function attachedIn(properties: StoredFiles): Attached {
  return {
    main: properties['file:content']?.digest ?? null,
    others: (properties['files:files'] ?? []).map(({ file }) => file?.digest ?? 'no file'),
  }
}

function settleOne(journal: Journal, stored: ReadonlyMap<string, Stored>, write: Unanswered): readonly string[] {
  switch (write.kind) {
    case 'create': {
      const found = [...stored.values()].find(({ name }) => name === write.name)
      if (found === undefined) return []
      journal.documents.set(found.id, write.after)
      leaveOver(journal, write.batch)
      return []
    }
    case 'update': {
      const found = stored.get(write.id)
      const isDone = found !== undefined && isSame(found.attached, write.after)
      journal.documents.set(write.id, isDone ? write.after : write.before)
      if (isDone && write.batch !== undefined) leaveOver(journal, write.batch)
      return []
    }
    case 'remove':
      if (!stored.has(write.id)) journal.documents.delete(write.id)
      return []
  }
}
