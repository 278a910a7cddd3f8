import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { storedBlob } from '../../../automation/values/flowing-blob.ts'
import { nothing } from '../../../automation/values/value.ts'
import { newId } from '../../../base/ids.ts'
import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { readDocumentByPath } from '../../../core/documents/read-document.ts'
import { requireShareOfQueue } from '../../../core/jobs/queue-share.ts'
import type { Session } from '../../../core/session.ts'
import { csvImportKind } from './import-job.ts'
import { type CsvImport, findOwnImport, type LoggedLine, listLines, listScheduled, storeImport } from './import-records.ts'

export const importModeDenied = defineProblem(
  'importModeDenied',
  'forbidden',
  (of: { principal: string }) =>
    `Only administrators may import documents with their ids and dates, and '${of.principal}' is none`,
)

const csvImport = defineOperation({
  id: 'CSV.Import',
  category: 'Document',
  description: 'Makes or changes a document for each line of a CSV file, in the background, and gives the id of the import.',
  effect: 'waits',
  params: {
    path: required('string', { description: 'The folder below which the names of the file are' }),
    sendReport: defaulted('boolean', false, { description: 'Mail the caller what came of it' }),
    documentMode: defaulted('boolean', false, { description: 'Documents come with their ids and dates, for administrators' }),
  },
  run: ({ on }) => [
    on('blob', 'string', async (blob, { session, context, params }) => {
      const { principal, repository } = session
      if (params.documentMode && !principal.isAdministrator) throw importModeDenied({ principal: principal.name })
      const folder = await readDocumentByPath(session, params.path)
      const file = await storedBlob(repository, blob)
      return context.write(async ({ tx, now }) => {
        await requireShareOfQueue(repository, tx.jobs, principal.name, [csvImportKind])
        const record: CsvImport = {
          id: newId(),
          username: principal.name,
          submitted: now,
          path: folder.path ?? '/',
          isImport: params.documentMode,
          sendsReport: params.sendReport,
          file,
          state: 'SCHEDULED',
          total: -1,
          processed: 0,
          counts: { SUCCESS: 0, SKIPPED: 0, ERROR: 0 },
          pages: 0,
          logged: { SUCCESS: 0, other: 0 },
        }
        await storeImport(tx.transient, record, now)
        // The file is named here, too: files of jobs are not collected.
        await tx.jobs.add(csvImportKind, { id: record.id, file: file.key }, { owner: principal.name })
        return record.id
      })
    }),
  ],
})

const importStatus = defineOperation({
  id: 'CSV.ImportStatus',
  category: 'Document',
  description: 'Tells how far an import of a CSV file has come.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('string', 'object', async (id, { session, context: { services } }) => {
      const found = await findOwnImport(session, id)
      if (found === undefined) return nothing
      const entityType = services.vendored('org.platform.ecm.csv.core.CSVImportStatus')
      return { kind: 'entity', entityType, json: { value: await statusOf(session, found) } }
    }),
  ],
})

async function statusOf(
  session: Session,
  { id, state, processed, total }: CsvImport,
): Promise<{ readonly [name: string]: Json }> {
  const waiting = state === 'SCHEDULED' ? await listScheduled(session) : []
  return {
    state,
    numberOfProcessedDocument: processed,
    totalNumberOfDocument: total,
    complete: state === 'COMPLETED',
    running: state === 'RUNNING',
    scheduled: state === 'SCHEDULED',
    positionInQueue: waiting.findIndex((one) => one.id === id) + 1,
    queueSize: waiting.length,
  }
}

const importResult = defineOperation({
  id: 'CSV.ImportResult',
  category: 'Document',
  description: 'Tells how many lines of a CSV file were imported.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('string', 'object', async (id, { session, context: { services } }) => {
      const found = await findOwnImport(session, id)
      if (found === undefined) return nothing
      const { SUCCESS, SKIPPED, ERROR } = found.counts
      const value = {
        totalLineCount: SUCCESS + SKIPPED + ERROR,
        successLineCount: SUCCESS,
        skippedLineCount: SKIPPED,
        errorLineCount: ERROR,
      }
      return { kind: 'entity', entityType: services.vendored('org.platform.ecm.csv.core.CSVImportResult'), json: { value } }
    }),
  ],
})

const importLog = defineOperation({
  id: 'CSV.ImportLog',
  category: 'Document',
  description: 'Tells what came of each line of a CSV file.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('string', 'object', async (id, { session }) => {
      const found = await findOwnImport(session, id)
      if (found === undefined) return nothing
      return { kind: 'entity', entityType: 'list', json: { value: (await listLines(session, found)).map(logEntry) } }
    }),
  ],
})

function logEntry({ line, status, key, params, message }: LoggedLine): Json {
  return {
    line,
    status,
    message,
    localizedMessage: `label.csv.importer.${key}`,
    localizedMessageParams: params,
    success: status === 'SUCCESS',
    skipped: status === 'SKIPPED',
    error: status === 'ERROR',
  }
}

export const csvImportOperations = [csvImport, importStatus, importResult, importLog]
