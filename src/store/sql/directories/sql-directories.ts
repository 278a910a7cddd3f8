import { compareText } from '../../../nxql/code-point-order.ts'
import {
  type DirectoryEntry,
  type DirectoryReader,
  type DirectoryWriter,
  type SourcesByTarget,
  type StoredEntry,
  type Terms,
  userDirectory,
} from '../../directories.ts'
import { mayBeStored } from '../../storable-text.ts'
import type { Rewindable, SqlConnection, SqlRow, SqlStatement } from '../connection.ts'
import * as references from './directory-reference-statements.ts'
import * as statements from './directory-statements.ts'
import { type DirectoryTables, entryOf, searchEntries } from './entry-search.ts'

export function createDirectoryReader(tables: DirectoryTables): DirectoryReader {
  const { connection, searching, dialect } = tables
  return {
    async find(directory, id) {
      if (!mayBeStored(id)) return undefined
      const row = await connection.get(statements.entryById(directory, id))
      return row && entryOf(row)
    },
    async findAll(directory, ids) {
      const wanted = ids.filter(mayBeStored)
      const [only, ...others] = wanted
      if (only === undefined) return []
      // A list of one takes a fifth longer than the one.
      if (others.length === 0) return (await connection.all(statements.entryById(directory, only))).map(entryOf)
      const entries = (await connection.all(statements.entriesById(dialect, directory, wanted))).map(entryOf)
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      return wanted.flatMap((id) => byId.get(id) ?? [])
    },
    list: async (directory) => (await connection.all(statements.entriesOf(directory))).map(entryOf),
    search: (search) => searchEntries(tables, search),
    async listIndexedFields() {
      const rows = await connection.all(statements.allIndexedFields)
      return new Map(rows.map(([directory, fields]) => [directory as string, JSON.parse(fields as string) as readonly string[]]))
    },
    hasEntries: async (directory) => (await connection.get(statements.anyEntryOf(directory))) !== undefined,
    async listTargets(reference, sourceId) {
      if (!mayBeStored(sourceId)) return []
      return textsIn(await connection.all(references.targetsOf(reference, sourceId)))
    },
    async listTargetPage(reference, sourceId, { prefix, limit, offset }) {
      if (!mayBeStored(sourceId)) return { ids: [], total: 0 }
      const page = references.targetPage(dialect, reference, sourceId, prefix, limit, offset)
      const ids = textsIn(await searching.all(page))
      if (offset === 0 && ids.length < limit) return { ids, total: ids.length }
      const [total] = (await searching.get(references.targetCount(dialect, reference, sourceId, prefix))) ?? []
      return { ids, total: Number(total) }
    },
    async listSources(reference, targetId) {
      if (!mayBeStored(targetId)) return []
      return textsIn(await connection.all(references.sourcesOf(reference, targetId)))
    },
    async listAllSources(reference, above, targetIds) {
      const targets = targetIds.filter(mayBeStored)
      if (targets.length === 0) return []
      return textsIn(await connection.all(references.allSourcesOf(dialect, reference, above, targets)))
    },
    async mapSources(reference, above, targetIds) {
      const targets = targetIds.filter(mayBeStored)
      const links = targets.length === 0 ? [] : await connection.all(references.sourceLinks(dialect, reference, above, targets))
      return { direct: sourcesByTarget(links, 1), above: sourcesByTarget(links, 0) }
    },
    generation: async () => (await connection.get(statements.directoryGeneration))?.[0] as number,
    findGeneration: () => undefined,
    membershipGeneration: async () => ((await connection.get(statements.membershipGeneration))?.[0] ?? 0) as number,
  }
}

/** Raised with the first write, by which other processes notice that users and groups may have changed. */
export interface DirectoryGeneration extends Rewindable {
  raise(): Promise<void>
  /** That of memberships, too. */
  raiseMemberships(): Promise<void>
}

/**
 * One transaction's: it is raised once, however much is written. That comes before all else, so that on PostgreSQL those
 * who write directories do so one after the other: each sees what the one before has stored, and no position is given twice.
 */
export function createDirectoryGeneration(connection: SqlConnection): DirectoryGeneration {
  let raised = { directories: false, memberships: false }
  async function raise(): Promise<void> {
    if (raised.directories) return
    raised = { ...raised, directories: true }
    await connection.run(statements.raiseDirectoryGeneration)
  }
  return {
    raise,
    async raiseMemberships() {
      await raise()
      if (raised.memberships) return
      raised = { ...raised, memberships: true }
      await connection.run(statements.raiseMembershipGeneration)
    },
    mark() {
      const before = raised
      return () => {
        raised = before
      }
    },
  }
}

export function createDirectoryWriter(tables: DirectoryTables, generation: DirectoryGeneration): DirectoryWriter {
  const { connection, dialect } = tables
  const write = async (statement: SqlStatement) => {
    await generation.raise()
    return (await connection.run(statement)) === 1
  }
  const writeMemberships = async (statement: SqlStatement) => {
    await generation.raiseMemberships()
    await connection.run(statement)
  }
  const raiseFor = (directory: string) => (directory === userDirectory ? generation.raiseMemberships() : generation.raise())
  const addTerms = async (directory: string, id: string, terms: Terms = {}) => {
    const pairs = Object.entries(terms)
    if (pairs.length > 0) await write(statements.insertTerms(dialect, directory, id, pairs))
  }
  const addTermsOfField = (directory: string, field: string, terms: readonly (readonly [id: string, term: string])[]) =>
    write(statements.insertTermsOfField(dialect, directory, field, terms))
  const removeTerms = (directory: string, ids: readonly string[]) => write(statements.deleteTerms(dialect, directory, ids))

  return {
    ...createDirectoryReader(tables),
    lock: generation.raise,
    async insert(directory, entry) {
      await raiseFor(directory)
      if (!(await write(statements.insertEntry(directory, entry)))) return false
      await addTerms(directory, entry.id, entry.terms)
      return true
    },
    async insertAll(directory, entries) {
      await raiseFor(directory)
      const added = new Set<string>()
      for (const page of pagesOf(firstOfEach(entries))) {
        const rows = await connection.all(statements.insertEntries(dialect, directory, page))
        const ids = new Set(rows.map(([id]) => id as string))
        for (const [field, terms] of termsByField(page.filter(({ id }) => ids.has(id)))) {
          await addTermsOfField(directory, field, terms)
        }
        for (const id of ids) added.add(id)
      }
      return added
    },
    async update(directory, entry) {
      if (!mayBeStored(entry.id) || !(await write(statements.updateEntry(directory, entry)))) return false
      await removeTerms(directory, [entry.id])
      await addTerms(directory, entry.id, entry.terms)
      return true
    },
    async remove(directory, id) {
      if (!mayBeStored(id) || !(await write(statements.deleteEntry(directory, id)))) return false
      await removeTerms(directory, [id])
      return true
    },
    async removeAll(directory, ids) {
      const found = ids.filter(mayBeStored)
      if (found.length === 0) return
      await write(statements.deleteEntries(dialect, directory, found))
      await removeTerms(directory, found)
    },
    async noteIndexedFields(fields) {
      if (fields.size > 0) await write(statements.noteIndexedFields(dialect, fields))
    },
    async indexTerms(directory, fields, termsOf) {
      await write(statements.deleteAllTerms(directory))
      let count = 0
      for await (const entries of everyPage(connection, directory)) {
        count += entries.length
        const terms = entries.map((entry) => [entry.id, termsOf(entry)] as const)
        for (const field of fields) {
          const ofField = terms.map(([id, own]) => [id, own[field] ?? ''] as const)
          await addTermsOfField(directory, field, ofField)
        }
      }
      await write(statements.setIndexedFields(directory, fields))
      return count
    },
    async nextId(directory) {
      await generation.raise()
      return (await connection.get(statements.nextNumber(directory)))?.[0] as number
    },
    async countFrom(directory, last) {
      await generation.raise()
      await connection.run(statements.countFrom(directory, last))
    },
    async replaceTargets(reference, sourceId, targetIds) {
      const targets = [...new Set(targetIds)]
      const insertion = references.insertTargets(dialect, reference, sourceId, targets)
      await writeMemberships(references.deleteTargets(reference, sourceId))
      if (targets.length > 0) await writeMemberships(insertion)
    },
    async addTarget(reference, sourceId, targetId) {
      await writeMemberships(references.addTarget(reference, sourceId, targetId))
    },
    async removeTarget(reference, sourceId, targetId) {
      if (mayBeStored(sourceId) && mayBeStored(targetId))
        await writeMemberships(references.deleteTarget(reference, sourceId, targetId))
    },
    async removeSources(reference, targetId) {
      if (mayBeStored(targetId)) await writeMemberships(references.deleteSources(reference, targetId))
    },
  }
}

function firstOfEach(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  const seen = new Set<string>()
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function* pagesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += entriesAtOnce) yield items.slice(start, start + entriesAtOnce)
}

function termsByField(entries: readonly StoredEntry[]): ReadonlyMap<string, (readonly [id: string, term: string])[]> {
  const byField = new Map<string, (readonly [id: string, term: string])[]>()
  for (const { id, terms = {} } of entries) {
    for (const [field, term] of Object.entries(terms)) {
      const known = byField.get(field) ?? []
      known.push([id, term])
      byField.set(field, known)
    }
  }
  return byField
}

const entriesAtOnce = 1_000

async function* everyPage(connection: SqlConnection, directory: string): AsyncGenerator<readonly DirectoryEntry[]> {
  for (let after = ''; ; ) {
    const page = (await connection.all(statements.entriesAfter(directory, after, entriesAtOnce))).map(entryOf)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < entriesAtOnce) return
    after = last.id
  }
}

function sourcesByTarget(links: readonly SqlRow[], isDirect: 0 | 1): SourcesByTarget {
  const sources = new Map<string, string[]>()
  for (const [mark, target, source] of links) {
    if (mark !== isDirect) continue
    const known = sources.get(target as string)
    if (known === undefined) sources.set(target as string, [source as string])
    else known.push(source as string)
  }
  for (const ids of sources.values()) ids.sort(compareText)
  return sources
}

function textsIn(rows: readonly SqlRow[]): readonly string[] {
  return rows.map(([text]) => text as string)
}
