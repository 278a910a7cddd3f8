import { everyCsvLine } from '../../base/csv/csv-records.ts'
import { createYieldPoint } from '../../base/event-loop.ts'
import { randomDecimal } from '../../base/ids.ts'
import type { Json } from '../../base/json.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { Importer, ImportTarget } from '../../core/file-imports/importer.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { FieldType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { joinPath, requireName } from '../../model/path-segment.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import { prefixOf } from '../../model/schema.ts'
import type { PropertyDefinition, Shape } from '../../model/shape.ts'
import { noSentBlobs } from '../../rest/payload/sent-blobs.ts'
import { readProperties } from '../../rest/payload/sent-properties.ts'
import { requireAllowed } from '../file-import/index.ts'
import { type ArchiveLimits, type OpenArchive, openArchive } from './zip-file.ts'

const tableName = 'meta-data.csv'
const maxTableBytes = 20 * 1024 ** 2
// All of them become documents in one transaction, and others write meanwhile.
const maxRows = 5_000
const csvLimits = { maxCells: 1_000, maxLength: 1_000_000 }

/** One row: the document that it is for, and what it says of it. */
interface TableRow {
  readonly id: string
  readonly type: string
  readonly cells: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, BlobValue>
}

export interface TableMeans {
  readonly repository: Repository
  readonly limits: ArchiveLimits
}

/** Archives of files with a table that says what documents they are (contract: blobs 13). */
export function tableImporter(means: () => TableMeans): Importer {
  return {
    name: 'CSVArchivePlugin',
    order: 11,
    mimeTypes: ['application/(zip|x-zip-compressed)'],
    altersFile: true,
    async prepare(file) {
      const { repository, limits } = means()
      const archive = await openArchive(file, limits, ({ names }) => names.has(tableName))
      if (archive === undefined) return undefined
      const rows = await readTable(archive, stagingFrom(archive, repository, file.signal))
      return async (session, target) => {
        for (const row of rows) await placeRow(session, target, row, archive)
        return target.folder
      }
    },
  }
}

async function readTable(archive: OpenArchive, stage: StageFile): Promise<readonly TableRow[]> {
  const text = (await archive.readText(tableName, maxTableBytes)) ?? ''
  const rows: TableRow[] = []
  let header: readonly string[] | undefined
  for await (const { line, cells } of everyCsvLine(inSlices(text), csvLimits)) {
    if (line > maxRows + 1) archive.refuse(`${tableName} in it has more than ${maxRows} rows`)
    if (header === undefined) header = cells
    else if (cells.some((cell) => cell.trim() !== '')) rows.push(await readRow(archive, stage, header, cells))
  }
  if (header === undefined) archive.refuse(`${tableName} in it is empty`)
  return rows
}

// Read in a few milliseconds, so that others go on meanwhile.
const sliceLength = 64 * 1024

async function* inSlices(text: string): AsyncGenerator<string> {
  const pause = createYieldPoint()
  for (let at = 0; at < text.length; at += sliceLength) {
    await pause()
    yield text.slice(at, at + sliceLength)
  }
}

async function readRow(
  archive: OpenArchive,
  stage: StageFile,
  header: readonly string[],
  row: readonly string[],
): Promise<TableRow> {
  const own = { id: '', type: '' }
  const cells = new Map<string, string>()
  const files = new Map<string, BlobValue>()
  for (const [index, text] of header.entries()) {
    const [column, cell] = [text.trim(), (row[index] ?? '').trim()]
    if (cell === '') continue
    if (/^(?:id|type)$/i.test(column)) own[column.toLowerCase() as 'id' | 'type'] = cell
    else {
      cells.set(column, cell)
      if (archive.names.has(cell) && /(?:^|[:.])content$/.test(column)) files.set(column, await stage(cell))
    }
  }
  return { ...own, cells, files }
}

type StageFile = (name: string) => Promise<BlobValue>

/** Stores files of the archive, each once, however many rows name it. */
function stagingFrom(archive: OpenArchive, repository: Repository, signal: AbortSignal | undefined): StageFile {
  const staged = new Map<string, Promise<BlobValue>>()
  return (name) => {
    signal?.throwIfAborted()
    const known = staged.get(name) ?? stageFile(archive, repository, name, signal)
    staged.set(name, known)
    return known
  }
}

async function stageFile(
  archive: OpenArchive,
  repository: Repository,
  name: string,
  signal: AbortSignal | undefined,
): Promise<BlobValue> {
  const stream = await archive.open(name)
  if (stream === undefined) return archive.refuse(`there is no ${name.slice(0, 200)} in it`)
  const stored = await repository.blobs.write(stream, signal && { signal })
  return inspectBlob(repository, { ...stored, name: name.slice(name.lastIndexOf('/') + 1), 'mime-type': null, encoding: null })
}

/** Changes the document that is there, or makes one. */
async function placeRow(session: WriteSession, target: ImportTarget, row: TableRow, archive: OpenArchive): Promise<void> {
  const segments = row.id
    .split('/')
    .map(requireName)
    .filter((segment) => segment !== '')
  const existing = segments.length === 0 ? undefined : await findBelow(session, target, segments)
  if (existing === undefined) return createFromRow(session, target, row, segments, archive)
  const changesFor = (current: Document) => propertiesOf(session, current, row)
  await saveDocument(session, existing.id, changesFor, target.options)
}

async function createFromRow(
  session: WriteSession,
  target: ImportTarget,
  row: TableRow,
  segments: readonly string[],
  archive: OpenArchive,
): Promise<void> {
  const { type } = row
  if (!session.model.types.has(type))
    archive.refuse(
      `${tableName} in it names ${type === '' ? 'no type' : `the type ${type.slice(0, 100)}, which is none,`} for ${row.id.slice(0, 100) || 'a row'}`,
    )
  const parent = segments.length > 1 ? await findBelow(session, target, segments.slice(0, -1)) : target.folder
  if (parent === undefined) return archive.refuse(`the folder of ${row.id.slice(0, 200)} is not there`)
  requireAllowed(session, type, parent)
  const name = segments.at(-1) ?? randomDecimal()
  await createDocument(session, {
    parent,
    type,
    name,
    properties: (empty) => ({ 'dc:title': name, ...propertiesOf(session, empty, row) }),
    options: target.options,
  })
}

function findBelow({ tx }: WriteSession, { folder }: ImportTarget, segments: readonly string[]): Promise<Document | undefined> {
  return tx.documents.findByPath(segments.reduce(joinPath, folder.path ?? '/'))
}

/** Columns that name no property of the document say nothing. */
function propertiesOf({ model, principal }: WriteSession, current: Document, row: TableRow): Properties {
  const shape = model.shapeOf(current)
  const sent: { [name: string]: Json } = {}
  const files: { [name: string]: BlobValue } = {}
  for (const [column, cell] of row.cells) {
    const property = findColumn(model, shape, column)
    if (property === undefined || (property.isSecured && !principal.isAdministrator)) continue
    const { kind } = property.field.type
    const file = row.files.get(column)
    if (kind === 'blob' && file !== undefined) files[property.name] = file
    else if (kind !== 'blob' && kind !== 'complex' && kind !== 'list') sent[property.name] = cellValue(property.field.type, cell)
  }
  const read = readProperties(sent, { model, shape, principal, current, blobs: noSentBlobs, emptyStringIsNull: false })
  return { ...read, ...files }
}

/** `dc:title`, `dublincore.title`, or the bare `title` of whichever schema of the document has it first. */
function findColumn(model: Model, shape: Shape, column: string): PropertyDefinition | undefined {
  const [schemaName = '', field = ''] = column.split('.', 2)
  const schema = field === '' ? undefined : model.schemas.get(schemaName)
  const name = schema === undefined ? column : `${prefixOf(schema)}:${field}`
  if (name.includes(':')) return shape.properties.get(model.findProperty(name)?.name ?? '')
  return [...shape.properties.values()].find((property) => property.field.name === name)
}

/** Dates as `31/12/2031` or `31/12/31`; other ways to write them are left to the reading of properties. */
function cellValue({ kind }: FieldType, cell: string): Json {
  const [, day = '', month = '', year = ''] = kind === 'date' ? (/^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(cell) ?? []) : []
  if (year === '') return cell
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
