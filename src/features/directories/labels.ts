import { readFileSync } from 'node:fs'
import { once } from '../../base/cache/memo.ts'
import { isFormOf } from '../../base/vendor.ts'
import { type CsvRow, parseCsv } from '../../core/directories/csv.ts'
import english from './data/labels.en.json' with { type: 'json' }
import french from './data/labels.fr.json' with { type: 'json' }

type LabelTexts = { readonly [key: string]: string }
type VocabularyLabels = Readonly<Record<'en' | 'fr', LabelTexts>>

/**
 * The texts of the label keys in the vocabularies, by locale and key. Continents, countries and subtopics are written once,
 * in the vocabularies that hold both languages, and read from there when a label is first asked for.
 */
export const vocabularyLabels = once(readLabels)

function readLabels(): VocabularyLabels {
  const coverage = readRows('l10ncoverage')
  const subjects = readRows('l10nsubjects')
  const shared = (column: 'label_en' | 'label_fr') => ({
    ...labelsOf('continent', coverage.filter(isRoot), column),
    ...labelsOf('country', coverage.filter(isChild), column),
    ...labelsOf('subtopic', subjects.filter(isChild), column),
  })
  return { en: { ...english, ...shared('label_en') }, fr: { ...french, ...shared('label_fr') } }
}

function readRows(vocabulary: string): readonly CsvRow[] {
  return parseCsv(readFileSync(new URL(`./data/${vocabulary}.csv`, import.meta.url), 'utf8'))
}

function labelsOf(directory: string, rows: readonly CsvRow[], column: string): LabelTexts {
  return Object.fromEntries(rows.map((row) => [`label.directories.${directory}.${row['id']}`, row[column] ?? '']))
}

function isRoot(row: CsvRow): boolean {
  return row['parent'] === ''
}

function isChild(row: CsvRow): boolean {
  return !isRoot(row)
}

/** The text of a label key in the best of the wanted languages that we have, else in English, else the key itself. */
export function translateLabel(key: string, locales: readonly string[]): string {
  const labels = vocabularyLabels()
  const neutral = isFormOf(vendorsLabel, key) ? vendorsLabel : key
  const texts = [labels[languageFor(locales)], labels.en].find((one) => Object.hasOwn(one, neutral))
  return texts?.[neutral] ?? key
}

/** The one key with the vendor's word in it, which entries hold in the form of the deployment. */
const vendorsLabel = 'label.directories.eventCategories.PlatformAuthentication'

/** The best of the wanted languages that vocabularies are written in. */
export function languageFor(locales: readonly string[]): 'en' | 'fr' {
  for (const locale of locales) {
    const language = locale.slice(0, 2).toLowerCase()
    if (language === 'en' || language === 'fr') return language
  }
  return 'en'
}
