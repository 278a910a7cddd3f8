import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { CsvRow } from '../../core/directories/csv.ts'
import { readCsvFile } from '../../core/directories/data-file.ts'
import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, date, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const strings = list(string())

export const auditSearchSchema = defineSchema('basicauditsearch', {
  prefix: 'bas',
  fields: {
    ...alike(date(), 'startDate', 'endDate'),
    principalName: string(),
    principalNames: strings,
    eventId: string(),
    eventIds: strings,
    eventCategory: string(),
    eventCategories: strings,
    ...alike(string(), 'targetDocumentUUID', 'targetDocumentType', 'targetDocumentPath', 'targetRepository'),
    logId: long(),
  },
})

export const auditSearchType = defineDocumentType('BasicAuditSearch', {
  extends: 'Document',
  schemas: ['basicauditsearch', 'dublincore', 'common'],
})

export const forceAudit = defineFacet('ForceAudit', [], { isReserved: true })

export const eventDirectories = [
  defineDirectory('eventTypes', {
    schema: 'vocabulary',
    types: ['system'],
    dataFile: csvOf('eventTypes'),
    labels: labelsOf('eventTypes'),
  }),
  defineDirectory('eventCategories', {
    schema: 'vocabulary',
    types: ['system'],
    dataFile: eventCategories,
    labels: labelsOf('eventCategories'),
  }),
]

function csvOf(name: string): URL {
  return new URL(`./data/${name}.csv`, import.meta.url)
}

function labelsOf(name: string): URL {
  return new URL(`./data/labels-${name}.json`, import.meta.url)
}

/** One category carries the vendor's word, and the audit writes it in the form of the deployment. */
async function eventCategories(vendored: VendorIdentifiers): Promise<readonly CsvRow[]> {
  const rows = await readCsvFile(csvOf('eventCategories'))
  return rows.map((row) => ({ ...row, id: vendored(row['id'] ?? ''), label: vendored(row['label'] ?? '') }))
}
