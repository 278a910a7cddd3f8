import type { CsvRow } from '../../core/directories/csv.ts'
import { readCsvFile } from '../../core/directories/data-file.ts'
import english from './data/labels.en.json' with { type: 'json' }
import french from './data/labels.fr.json' with { type: 'json' }

type LabelTexts = { readonly [key: string]: string }

const coverage = await readCsvFile(new URL('./data/l10ncoverage.csv', import.meta.url))
const subjects = await readCsvFile(new URL('./data/l10nsubjects.csv', import.meta.url))

/**
 * The texts of the label keys in the vocabularies, by locale and key. Continents, countries and subtopics are written once,
 * in the vocabularies that hold both languages, and read from there.
 */
export const vocabularyLabels: Readonly<Record<'en' | 'fr', LabelTexts>> = {
  en: { ...english, ...labelsFrom('label_en') },
  fr: { ...french, ...labelsFrom('label_fr') },
}

function labelsFrom(column: 'label_en' | 'label_fr'): LabelTexts {
  return {
    ...labelsOf('continent', coverage.filter(isRoot), column),
    ...labelsOf('country', coverage.filter(isChild), column),
    ...labelsOf('subtopic', subjects.filter(isChild), column),
  }
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
  const texts = [vocabularyLabels[languageFor(locales)], vocabularyLabels.en].find((labels) => Object.hasOwn(labels, key))
  return texts?.[key] ?? key
}

/** The best of the wanted languages that vocabularies are written in. */
export function languageFor(locales: readonly string[]): 'en' | 'fr' {
  for (const locale of locales) {
    const language = locale.slice(0, 2).toLowerCase()
    if (language === 'en' || language === 'fr') return language
  }
  return 'en'
}
