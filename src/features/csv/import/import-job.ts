import { type CsvLine, csvRecordTooLong } from '../../../base/csv/csv-records.ts'
import { Problem } from '../../../base/problem.ts'
import { typedName } from '../../../base/typed-name.ts'
import { type Access, accessIn, accessTo, systemAccess } from '../../../core/access.ts'
import { defineJob, type JobHandler } from '../../../core/jobs/worker.ts'
import type { Repository, WriteSession } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import { mailPrincipals } from '../../mail/index.ts'
import { type CsvHeader, everyLineOf, readRow } from './csv-file.ts'
import {
  type CsvImport,
  findImport,
  findImportForUpdate,
  type LoggedLine,
  listLines,
  storeImport,
  storeLines,
} from './import-records.ts'
import { type CsvDocument, importRow, type RowTarget } from './import-row.ts'
import { type LineKey, type LineOutcome, RowRefusal } from './row-refusal.ts'

/** A new one names its file too, which is what keeps that from being collected. */
export const csvImportKind = typedName<{ readonly id: string; readonly file?: string }>('csvImport')

// Documents in one transaction (contract: blobs 14).
const batchSize = 50

export interface CsvImportOptions {
  readonly folder: string | undefined
  readonly legacyDates: boolean
}

/** Imports a file line by line, each batch with how far that came: a job that was cut short goes on behind it. */
export function createImportJob(services: Pick<Services, 'principals'>, options: CsvImportOptions): JobHandler {
  return defineJob({
    kind: csvImportKind,
    ownWorkers: 1,
    async tellParked({ id }, repository) {
      const record = await findOpen(repository, id)
      if (record !== undefined) await giveUp(repository, record, 'Internal Server Error')
    },
    async run({ id }, repository, _signal, progress) {
      const record = await findOpen(repository, id)
      if (record === undefined) return
      const principal = await services.principals.findDoer(record.username, record.submitted)
      if (principal === undefined) return giveUp(repository, record, `There is no user ${record.username} any more.`)
      const isDone = await importFile({ access: accessTo(repository, principal), record, options })
      if (!isDone) await repository.store.transact((tx) => progress.handOver(tx, csvImportKind, { id: record.id }))
    },
  })
}

/** Undefined of an import that is over or has expired. */
async function findOpen({ store, now }: Repository, id: string): Promise<CsvImport | undefined> {
  const record = await findImport(store.reader, id, now())
  return record?.state === 'COMPLETED' ? undefined : record
}

interface Work {
  readonly access: Access
  readonly record: CsvImport
  readonly options: CsvImportOptions
}

/** Gives whether nothing is left to do. */
async function importFile(work: Work): Promise<boolean> {
  const { repository } = work.access
  try {
    const total = work.record.total >= 0 ? work.record.total : await countLines(work)
    const begun = await keep(repository, { ...work.record, state: 'RUNNING', total })
    const header = await readHeader(work)
    const isDone = await importLines({ ...work, record: begun }, header)
    if (!isDone) return false
    await systemAccess(repository).write(async (session) => {
      const last = (await findImport(session.tx, begun.id, session.now)) ?? begun
      await complete(session, last)
    })
  } catch (error) {
    if (error instanceof RowRefusal) await giveUp(repository, work.record, error.message, error.outcome.key)
    else if (csvRecordTooLong.is(error)) await giveUp(repository, work.record, error.message)
    else throw error
  }
  return true
}

async function countLines({ access: { repository }, record }: Work): Promise<number> {
  let lines = 0
  for await (const _ of everyLineOf(repository, record.file)) lines++
  return Math.max(0, lines - 1)
}

/** @throws RowRefusal */
async function readHeader({ access: { repository }, record }: Work): Promise<CsvHeader> {
  for await (const { cells } of everyLineOf(repository, record.file)) {
    const header = cells.map((cell) => cell.trim())
    if (header.every((cell) => cell === '')) break
    if (!header.includes('name')) throw new RowRefusal('missingNameColumn', 'The header names no column name.')
    const repeated = header.find((column, index) => column !== '' && header.indexOf(column) !== index)
    if (repeated !== undefined) throw new RowRefusal('errorDuringImport', `The header names the column ${repeated} twice.`)
    return header
  }
  throw new RowRefusal('emptyFile', 'The file is empty: it must begin with a line that names the columns.')
}

/** Whether all lines are done: a server that stops leaves the rest to the next. */
async function importLines(work: Work, header: CsvHeader): Promise<boolean> {
  const { access, record } = work
  const { repository } = access
  let position = 0
  let batch: CsvLine[] = []
  for await (const line of everyLineOf(repository, record.file)) {
    if (line.line === 1 || ++position <= record.processed) continue
    batch.push(line)
    if (batch.length < batchSize) continue
    await importBatch(work, header, batch)
    batch = []
    if (repository.stopping.signal.aborted) return false
  }
  if (batch.length > 0) await importBatch(work, header, batch)
  return true
}

/** A line whose files are staged, or what is wrong with it already. */
type Prepared = { readonly line: number } & ({ readonly row: CsvDocument } | { readonly outcome: LineOutcome })

async function importBatch(work: Work, header: CsvHeader, lines: readonly CsvLine[]): Promise<void> {
  const prepared: Prepared[] = []
  for (const line of lines) prepared.push(await prepareLine(work, header, line))
  try {
    await importAll(work, prepared)
  } catch (error) {
    const { repository } = work.access
    repository.log.warn({ event: 'csvImport.batchFailed', import: work.record.id, err: error }, 'lines are imported one by one')
    for (const one of prepared) await importAlone(work, one)
  }
}

const emptyLine: LineOutcome = { status: 'SKIPPED', key: 'emptyLine', params: [], message: 'The line is empty.' }

async function prepareLine({ access, options }: Work, header: CsvHeader, line: CsvLine): Promise<Prepared> {
  const { repository } = access
  try {
    const row = await readRow(line, header, { repository, model: repository.model, folder: options.folder })
    return row === undefined ? { line: line.line, outcome: emptyLine } : { line: line.line, row }
  } catch (error) {
    if (error instanceof RowRefusal) return { line: line.line, outcome: error.outcome }
    throw error
  }
}

async function importAlone(work: Work, one: Prepared): Promise<void> {
  try {
    await importAll(work, [one])
  } catch (error) {
    const message = error instanceof Problem ? error.message : 'Internal Server Error'
    work.access.repository.log.error({ event: 'csvImport.failed', import: work.record.id, err: error }, 'a line was not imported')
    await importAll(work, [{ line: one.line, outcome: { status: 'ERROR', key: 'errorImportingLine', params: [], message } }])
  }
}

/** All lines in one transaction, in which each can fail by itself. */
function importAll({ access, record: { id, path, isImport }, options }: Work, lines: readonly Prepared[]): Promise<void> {
  const target: RowTarget = { path, isImport, legacyDates: options.legacyDates }
  return access.write(async (session) => {
    const { tx, now } = session
    const record = await findImportForUpdate(tx, id, now)
    // A worker that was taken for dead may have been overtaken by another. The header is line 1.
    if (record === undefined || record.processed + 2 !== lines[0]?.line) return
    const logged: LoggedLine[] = []
    for (const one of lines)
      logged.push({ line: one.line, ...('outcome' in one ? one.outcome : await attemptRow(session, target, one.row)) })
    await storeImport(tx.transient, await storeLines(tx.transient, record, logged, now), now)
  })
}

async function attemptRow(session: WriteSession, target: RowTarget, row: CsvDocument): Promise<LineOutcome> {
  try {
    return await accessIn(session).attempt(() => importRow(session, target, row))
  } catch (error) {
    if (error instanceof RowRefusal) return error.outcome
    throw error
  }
}

async function keep(repository: Repository, record: CsvImport): Promise<CsvImport> {
  await repository.store.transact((tx) => storeImport(tx.transient, record, repository.now()))
  return record
}

/** Nothing can be done with the file as a whole. */
async function giveUp(
  repository: Repository,
  record: CsvImport,
  message: string,
  key: LineKey = 'errorDuringImport',
): Promise<void> {
  await systemAccess(repository).write(async (session) => {
    const { tx, now } = session
    const last = (await findImport(tx, record.id, now)) ?? record
    const line = { line: last.processed + 1, status: 'ERROR', key, params: [], message } as const
    const logged = await storeLines(tx.transient, last, [line], now)
    await complete(session, { ...logged, processed: last.processed })
  })
}

/** With the mail that tells of it, so that it is sent once. */
async function complete(session: WriteSession, record: CsvImport): Promise<void> {
  if (record.state === 'COMPLETED') return
  await storeImport(session.tx.transient, { ...record, state: 'COMPLETED' }, session.now)
  if (record.sendsReport) await mailReport(session, record)
}

const mostTold = 20

async function mailReport(session: WriteSession, record: CsvImport): Promise<void> {
  const { SUCCESS, SKIPPED, ERROR } = record.counts
  const failed = (await listLines(session, record)).filter(({ status }) => status === 'ERROR').slice(0, mostTold)
  await mailPrincipals(session, {
    template: 'csvImportReport',
    to: [`user:${record.username}`],
    words: {
      texts: {
        file: record.file.name ?? '',
        folder: record.path,
        total: String(SUCCESS + SKIPPED + ERROR),
        imported: String(SUCCESS),
        skipped: String(SKIPPED),
        failed: String(ERROR),
        problems: failed.map(({ line, message }) => `${line}: ${message}`).join('\n'),
      },
    },
  })
}
