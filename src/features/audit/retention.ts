import { mkdir, open, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sql, { join as joined } from 'sql-template-tag'
import { stringifyJson } from '../../base/json.ts'
import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Repository } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import { serverSettings } from '../../settings/server-settings.ts'
import type { LogEntry } from './log-entry.ts'
import { entriesIn } from './read-entries.ts'
import type { AuditValues } from './settings.ts'

const kind = 'archiveAudit'
const dayMillis = 24 * 3_600_000

/** Has rows that are too old moved to files, once a day. */
export const dailyArchive: Schedule = { name: kind, everySeconds: dayMillis / 1_000, job: kind }

export function archiveFolder({ auditArchive }: AuditValues, { valuesOf }: Pick<Services, 'valuesOf'>): string {
  return resolve(auditArchive ?? `${valuesOf(serverSettings).data}/audit-archive`)
}

interface RetentionRules {
  readonly keepDays: number
  folder(): string
}

export function archiveJob({ keepDays, folder }: RetentionRules): JobHandler {
  return {
    kind,
    isBulk: true,
    async run(_, repository) {
      if (keepDays === 0) return
      const today = Math.floor(Date.parse(repository.now()) / dayMillis) * dayMillis
      const archived = await archiveBefore(repository, folder(), today - keepDays * dayMillis)
      if (archived > 0)
        repository.log.info({ event: 'audit.archived', repository: repository.name, rows: archived }, 'audit rows were archived')
    },
  }
}

const maxInFile = 50_000

/**
 * Moves all rows before the moment to files, one a day and of a bounded length, and gives how many they were. A file is durable before the
 * first of its rows is deleted, and no row is deleted that is not in it. After a crash in between, the next file has rows of the one
 * before once more, by the same ids.
 */
export async function archiveBefore(repository: Repository, folder: string, before: number): Promise<number> {
  const { tables } = repository.store.reader
  // The database gives the number of the last row again when that is gone, so it stays until there is a later one.
  const newest = Number((await tables.get(sql`SELECT max(id) FROM audit_entries`))?.[0] ?? 0)
  let archived = 0
  for (;;) {
    const chunk = await nextChunk(repository, before, newest)
    const [first] = chunk
    if (first === undefined) return archived
    await mkdir(folder, { recursive: true })
    await writeArchive(folder, `${repository.name}-${first.eventDate.slice(0, 10)}-${first.id}.jsonl`, chunk)
    await deleteEntries(repository, chunk)
    archived += chunk.length
  }
}

/** The oldest rows, all of one day. */
async function nextChunk({ store }: Repository, before: number, newest: number): Promise<readonly LogEntry[]> {
  const chunk: LogEntry[] = []
  for await (const entries of entriesIn(store.reader.tables, { before })) {
    for (const entry of entries) {
      if (entry.id === newest) continue
      const isOfThatDay = chunk.length === 0 || entry.eventDate.slice(0, 10) === chunk[0]?.eventDate.slice(0, 10)
      if (!isOfThatDay || chunk.length === maxInFile) return chunk
      chunk.push(entry)
    }
  }
  return chunk
}

async function writeArchive(folder: string, name: string, entries: readonly LogEntry[]): Promise<void> {
  const part = join(folder, `${name}.part`)
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(entries.map((entry) => `${stringifyJson(entry)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
  const directory = await open(folder)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const deletedAtOnce = 500

/** A few in a transaction, so that no request waits for long. Served by the primary key. */
async function deleteEntries(repository: Repository, entries: readonly LogEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += deletedAtOnce) {
    const ids = entries.slice(start, start + deletedAtOnce).map(({ id }) => id)
    await systemAccess(repository).write(({ tx }) => tx.tables.run(sql`DELETE FROM audit_entries WHERE id IN (${joined(ids)})`))
  }
}
