import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { CsvRow } from '../../core/directories/csv.ts'
import { readCsvFile } from '../../core/directories/data-file.ts'
import {
  type DeleteConstraint,
  type DirectoryDefinition,
  type DirectoryOptions,
  defineDirectory,
} from '../../core/directories/directory-definition.ts'
import { everyone } from '../../model/rights/principal.ts'

/** Lists of documents that older clients kept for their users; everybody has some. */
export const documentsLists = defineDirectory('documentsLists', {
  schema: 'documentsLists',
  types: ['system'],
  permissions: { read: [everyone], write: [everyone] },
})

/** The vocabularies that every server has, each filled from the CSV file of its name. */
export const vocabularies: readonly DirectoryDefinition[] = [
  vocabulary('continent', { schema: 'vocabulary', deleteConstraints: [noChildIn('country')] }),
  below('continent', 'country'),
  tree('l10ncoverage', 'l10nxvocabulary'),
  vocabulary('topic', { schema: 'vocabulary', deleteConstraints: [noChildIn('subtopic')] }),
  below('topic', 'subtopic'),
  tree('l10nsubjects', 'l10nxvocabulary'),
  vocabulary('nature', { schema: 'vocabulary' }),
  vocabulary('language', { schema: 'vocabulary' }),
  vocabulary('predicates', { schema: 'vocabulary' }),
  vocabulary('inverse_predicates', { schema: 'vocabulary' }),
  vocabulary('subject', { schema: 'vocabulary', types: ['system'] }),
  vocabulary('search_operators', { schema: 'vocabulary', types: ['system'] }),
  vocabulary('eventTypes', { schema: 'vocabulary', types: ['system'] }),
  vocabulary('eventCategories', { schema: 'vocabulary', types: ['system'], dataFile: eventCategories }),
]

function vocabulary(name: string, options: DirectoryOptions): DirectoryDefinition {
  return defineDirectory(name, { dataFile: csvOf(name), ...options })
}

function below(parentDirectory: string, name: string): DirectoryDefinition {
  return vocabulary(name, { schema: 'xvocabulary', parentDirectory, indexedFields: ['parent'] })
}

/** A vocabulary whose entries have their parents among themselves. */
function tree(name: string, schema: string): DirectoryDefinition {
  const deleteConstraints = [noChildIn(name)]
  return vocabulary(name, { schema, parentDirectory: name, indexedFields: ['parent'], deleteConstraints })
}

function noChildIn(directory: string): DeleteConstraint {
  return { directory, field: 'parent' }
}

function csvOf(name: string): URL {
  return new URL(`./data/${name}.csv`, import.meta.url)
}

/** One category carries the vendor's word, and the audit writes it in the form of the deployment. */
async function eventCategories(vendored: VendorIdentifiers): Promise<readonly CsvRow[]> {
  const rows = await readCsvFile(csvOf('eventCategories'))
  return rows.map((row) => ({ ...row, id: vendored(row['id'] ?? ''), label: vendored(row['label'] ?? '') }))
}
