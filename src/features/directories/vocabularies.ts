import type { CsvRow } from '../../core/directories/csv.ts'
import { readCsvFile } from '../../core/directories/data-file.ts'
import {
  type DeleteConstraint,
  type DirectoryDefinition,
  type DirectoryOptions,
  defineDirectory,
  type VocabularyLabels,
} from '../../core/directories/directory-definition.ts'
import { alike, long, string } from '../../model/field.ts'
import { everyone } from '../../model/rights/principal.ts'
import { defineSchema } from '../../model/schema.ts'

const retirementAndOrder = { obsolete: long({ default: 0 }), ordering: long({ default: 10_000_000 }) }
const labelled = alike(string(), 'id', 'label')
const translated = alike(string(), 'id', 'label_en', 'label_fr')
const parent = { parent: string() }

const vocabularySchema = defineSchema('vocabulary', { fields: { ...labelled, ...retirementAndOrder } })
const childVocabulary = defineSchema('xvocabulary', { fields: { ...labelled, ...parent, ...retirementAndOrder } })
const translatedVocabulary = defineSchema('l10nvocabulary', { fields: { ...translated, ...retirementAndOrder } })
const translatedChildVocabulary = defineSchema('l10nxvocabulary', {
  fields: { ...translated, ...parent, ...retirementAndOrder },
})

const documentsListsSchema = defineSchema('documentsLists', {
  fields: { ...alike(string(), 'id', 'userid', 'listid', 'repo', 'ref'), reftype: long() },
})

export const vocabularySchemas = [
  vocabularySchema,
  childVocabulary,
  translatedVocabulary,
  translatedChildVocabulary,
  documentsListsSchema,
]

/** Lists of documents that older clients stored for their users; every user has some. */
export const documentsLists = defineDirectory('documentsLists', {
  schema: 'documentsLists',
  types: ['system'],
  permissions: { read: [everyone], write: [everyone] },
})

/** The vocabularies that every server has, each filled from the CSV file of its name. */
export const vocabularies: readonly DirectoryDefinition[] = [
  vocabulary('continent', {
    schema: 'vocabulary',
    deleteConstraints: [noChildIn('country')],
    labels: shared('continent', 'l10ncoverage', isRoot),
  }),
  below('continent', 'country', 'l10ncoverage'),
  tree('l10ncoverage', 'l10nxvocabulary'),
  vocabulary('topic', { schema: 'vocabulary', deleteConstraints: [noChildIn('subtopic')], labels: ownLabels('topic') }),
  below('topic', 'subtopic', 'l10nsubjects'),
  tree('l10nsubjects', 'l10nxvocabulary'),
  vocabulary('nature', { schema: 'vocabulary', labels: ownLabels('nature') }),
  vocabulary('language', { schema: 'vocabulary', labels: ownLabels('language') }),
  vocabulary('subject', { schema: 'vocabulary', types: ['system'], labels: ownLabels('subject') }),
]

function vocabulary(name: string, options: DirectoryOptions): DirectoryDefinition {
  return defineDirectory(name, { dataFile: csvOf(name), ...options })
}

function below(parentDirectory: string, name: string, tree: string): DirectoryDefinition {
  const labels = shared(name, tree, isChild)
  return vocabulary(name, { schema: 'xvocabulary', parentDirectory, indexedFields: ['parent'], labels })
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

function ownLabels(name: string): URL {
  return new URL(`./data/labels-${name}.json`, import.meta.url)
}

/** Continents, countries and subtopics are written once, in the vocabularies that hold both languages. */
function shared(name: string, tree: string, isMeant: (row: CsvRow) => boolean): () => Promise<VocabularyLabels> {
  return async () => {
    const rows = (await readCsvFile(csvOf(tree))).filter(isMeant)
    const texts = (column: string) =>
      Object.fromEntries(rows.map((row) => [`label.directories.${name}.${row['id']}`, row[column] ?? '']))
    return { en: texts('label_en'), fr: texts('label_fr') }
  }
}

function isRoot(row: CsvRow): boolean {
  return row['parent'] === ''
}

function isChild(row: CsvRow): boolean {
  return !isRoot(row)
}
