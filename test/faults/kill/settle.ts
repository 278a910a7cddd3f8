import type { DatabasePlace } from '../../support/database-place.ts'
import { findFlaws } from '../../support/repository-flaws.ts'
import type { Journal, Unanswered, Written } from './journal.ts'

interface Stored {
  readonly id: string
  readonly folder: string
  readonly name: string
  readonly title: string
  readonly versions: number
}

/**
 * Compares the journal with the database and gives every promise that was broken, as a sentence. What was unanswered is
 * settled: the journal then says what the database says.
 */
export async function settle(journal: Journal, place: DatabasePlace): Promise<readonly string[]> {
  const stored = await readStored(place)
  const broken = [...journal.unanswered].flatMap((write) => settleOne(journal, stored, write))
  journal.unanswered.clear()
  for (const [id, document] of journal.written) {
    const found = stored.get(id)
    if (found === undefined) broken.push(`${id} was acknowledged and is gone`)
    else if (!matches(found, document)) broken.push(`${id} is ${describe(found)}, but was acknowledged as ${describe(document)}`)
  }
  for (const id of stored.keys()) {
    if (journal.removed.has(id)) broken.push(`${id} was removed and is there again`)
    else if (!journal.written.has(id)) broken.push(`${id} was never asked for`)
  }
  return [...broken, ...(await findFlaws(place))]
}

async function readStored(place: DatabasePlace): Promise<Map<string, Stored>> {
  const rows = await place.query(`
    SELECT live.id, live.parent_id, live.name, live.properties ->> 'dc:title' AS title, count(version.id) AS versions
      FROM documents AS live LEFT JOIN documents AS version ON version.series_id = live.id AND version.is_version = 1
     WHERE live.path LIKE '/default-domain/workspaces/%'
     GROUP BY live.id, live.parent_id, live.name, live.properties`)
  const stored = rows.map((row) => ({
    id: String(row['id']),
    folder: String(row['parent_id']),
    name: String(row['name']),
    title: String(row['title']),
    versions: Number(row['versions']),
  }))
  return new Map(stored.map((document) => [document.id, document]))
}

function settleOne(journal: Journal, stored: ReadonlyMap<string, Stored>, write: Unanswered): readonly string[] {
  switch (write.kind) {
    case 'create':
      return settleCreation(journal, stored, write)
    case 'update':
      return settleUpdate(journal, stored, write)
    case 'remove':
      return settleRemoval(journal, stored, write)
  }
}

function settleCreation(
  journal: Journal,
  stored: ReadonlyMap<string, Stored>,
  { name, document }: Unanswered & { kind: 'create' },
): readonly string[] {
  const found = [...stored.values()].find((one) => one.name === name)
  if (found === undefined) return []
  journal.written.set(found.id, document)
  return matches(found, document) ? [] : [`${found.id} was created by halves: ${describe(found)} for ${describe(document)}`]
}

function settleUpdate(
  journal: Journal,
  stored: ReadonlyMap<string, Stored>,
  { id, before, after }: Unanswered & { kind: 'update' },
): readonly string[] {
  const found = stored.get(id)
  const isDone = found !== undefined && matches(found, after)
  journal.written.set(id, isDone ? after : before)
  const isUntouched = found !== undefined && matches(found, before)
  return isDone || isUntouched ? [] : [`${id} was changed by halves: ${found && describe(found)}`]
}

function settleRemoval(
  journal: Journal,
  stored: ReadonlyMap<string, Stored>,
  { ids }: Unanswered & { kind: 'remove' },
): readonly string[] {
  const left = ids.filter((id) => stored.has(id))
  if (left.length === ids.length) return []
  for (const id of ids) {
    journal.written.delete(id)
    journal.removed.add(id)
  }
  return left.map((id) => `${id} was left of a removed tree`)
}

function matches(found: Stored, document: Written): boolean {
  return found.title === document.title && found.versions === document.versions
}

function describe({ title, versions }: { readonly title: string; readonly versions: number }): string {
  return `'${title}' with ${versions} versions`
}
