import { Readable } from 'node:stream'
import { formatCsvLine, harmlessCell } from '../../../base/csv/csv-records.ts'
import { newId } from '../../../base/ids.ts'
import { defineProblem } from '../../../base/problem.ts'
import { writeZip } from '../../../base/zip/write-zip.ts'
import { type Access, accessTo } from '../../../core/access.ts'
import { storeDownloadResult } from '../../../core/blobs/download-results.ts'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import { defineBulkAction } from '../../../core/bulk/bulk-action.ts'
import { shapeSeen } from '../../../core/documents/proxies/proxy.ts'
import { findReadable } from '../../../core/documents/read-document.ts'
import { noteRights } from '../../../core/noted-rights.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import type { BlobValue } from '../../../model/properties/property.ts'
import { parseXpath } from '../../../model/properties/xpath.ts'
import { prefixOf } from '../../../model/schema.ts'
import type { Shape } from '../../../model/shape.ts'
import { type CsvColumn, propertyColumn, systemColumns } from './csv-columns.ts'

export const wrongExportParameter = defineProblem(
  'wrongExportParameter',
  'invalid',
  (of: { parameter: string; rule: string }) => `The parameter ${of.parameter} of csvExport must be ${of.rule}`,
)

// Wider than any spreadsheet shows, and no wider than an import takes.
const maxColumns = 1_000

// As long as other results of background work.
const hoursToFetch = 24

/** Writes a CSV file of documents, which CSV.Import reads again; its address is in the result. */
export const csvExport = defineBulkAction({
  name: 'csvExport',
  isOpen: true,
  batchSize: 50,
  check: (parameters, { model }) => void columnsOf(model, parameters),
  async produce(access, pages, { parameters, baseUrl }) {
    const { repository } = access
    const columns = columnsOf(repository.model, parameters)
    const notes = noteRights(access.principal)
    const file = await storeCsv(accessTo(repository, notes.principal), pages, columns)
    const blob = parameters['zip'] === true ? await storeZipped(access, file) : file
    const key = newId()
    const expires = new Date(Date.parse(repository.now()) + hoursToFetch * 3_600_000).toISOString()
    const result = { kind: 'done', blob, owner: access.principal.name, rights: notes.rights() } as const
    await repository.home.store.transact((tx) => storeDownloadResult(tx, key, result, expires))
    return { url: `${baseUrl}nxbigblob/${key}` }
  },
})

/** @throws wrongExportParameter, unknownProperty */
function columnsOf(model: Model, { schemas, xpaths, zip = false }: JsonObject): readonly CsvColumn[] {
  if (typeof zip !== 'boolean') throw wrongExportParameter({ parameter: 'zip', rule: 'true or false' })
  const wanted = listOf('xpaths', xpaths)
  const names = schemas === undefined && wanted.length === 0 ? ['dublincore'] : listOf('schemas', schemas)
  const ofSchemas = names.flatMap((name) => {
    const schema = model.schemas.get(name)
    if (schema === undefined)
      throw wrongExportParameter({ parameter: 'schemas', rule: `names of schemas: there is no ${name.slice(0, 100)}` })
    return schema.fields.map((field) => `${prefixOf(schema)}:${field.name}`)
  })
  const properties = [...new Set([...ofSchemas, ...wanted])]
  if (properties.length > maxColumns)
    throw wrongExportParameter({ parameter: 'xpaths', rule: `no more than ${maxColumns} together` })
  return [...systemColumns, ...properties.map((text) => propertyColumn(parseXpath(model, text)))]
}

function listOf(parameter: string, value: JsonObject[string] | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  const list = typeof value === 'string' ? value.split(',').map((text) => text.trim()) : value
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string'))
    throw wrongExportParameter({ parameter, rule: 'a list of texts' })
  return list
}

type Pages = AsyncIterable<readonly DocumentId[]>

async function storeCsv(access: Access, pages: Pages, columns: readonly CsvColumn[]): Promise<BlobValue> {
  const { blobs, stopping } = access.repository
  const content = Readable.from(everyLine(access, pages, columns), { objectMode: false })
  const stored = await blobs.write(content, { signal: stopping.signal })
  return { ...stored, name: 'export.csv', 'mime-type': 'text/csv', encoding: 'UTF-8' }
}

async function* everyLine(access: Access, pages: Pages, columns: readonly CsvColumn[]): AsyncGenerator<string> {
  yield formatCsvLine(columns.map(({ name }) => name))
  for await (const ids of pages) {
    const documents = await readAll(access, ids)
    const { model } = access.repository
    yield documents.map((document) => lineOf(document, shapeSeen(model, document), columns)).join('')
  }
}

/** What the user may read now; what is gone or was taken from them since is left out. */
function readAll(access: Access, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  return access.read(async (session) => {
    const documents: Document[] = []
    for (const id of ids) {
      const document = await findReadable(session, id)
      if (document !== undefined) documents.push(document)
    }
    return documents
  })
}

function lineOf(document: Document, shape: Shape, columns: readonly CsvColumn[]): string {
  const cells = columns.map(({ cellOf, isNumber = false }) => {
    const cell = cellOf(document, shape)
    return isNumber ? cell : harmlessCell(cell)
  })
  return formatCsvLine(cells)
}

async function storeZipped({ repository: { blobs, stopping, now } }: Access, file: BlobValue): Promise<BlobValue> {
  const content = { length: file.length, open: () => openBlob(blobs, { blob: file }) }
  const entry = { name: file.name ?? 'export.csv', modified: new Date(now()), content }
  const stored = await blobs.write(Readable.from(writeZip([entry]), { objectMode: false }), { signal: stopping.signal })
  return { ...stored, name: 'export.zip', 'mime-type': 'application/zip', encoding: null }
}
