import {
  type DeleteConstraint,
  type DirectoryDefinition,
  type DirectoryOptions,
  defineDirectory,
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
  vocabulary('continent', { schema: 'vocabulary', deleteConstraints: [noChildIn('country')] }),
  below('continent', 'country'),
  tree('l10ncoverage', 'l10nxvocabulary'),
  vocabulary('topic', { schema: 'vocabulary', deleteConstraints: [noChildIn('subtopic')] }),
  below('topic', 'subtopic'),
  tree('l10nsubjects', 'l10nxvocabulary'),
  vocabulary('nature', { schema: 'vocabulary' }),
  vocabulary('language', { schema: 'vocabulary' }),
  vocabulary('subject', { schema: 'vocabulary', types: ['system'] }),
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
