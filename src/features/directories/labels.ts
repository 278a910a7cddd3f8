import { memoised } from '../../base/cache/memo.ts'
import { isFormOf } from '../../base/vendor.ts'
import { readJsonFile } from '../../core/directories/data-file.ts'
import type { Directories } from '../../core/directories/directories.ts'
import type { DirectoryDefinition, VocabularyLabels } from '../../core/directories/directory-definition.ts'

type Language = 'en' | 'fr'
type LabelTexts = ReadonlyMap<string, string>

/** The texts of all label keys, whichever directory brings them: an entry may hold the key of another. */
export interface Labels extends Readonly<Record<Language, LabelTexts>> {
  /** Keys with the vendor's word in them, which entries hold in the form of the deployment. */
  readonly vendors: readonly string[]
}

/** @throws unreadableDataFile */
export function readLabels({ definitions }: Pick<Directories, 'definitions'>): Promise<Labels> {
  return labelsOf(definitions)
}

const labelsOf = memoised(async (definitions: Directories['definitions']): Promise<Labels> => {
  const all = await Promise.all([...definitions.values()].map(readOwn))
  const textsIn = (language: Language) => new Map(all.flatMap((own) => Object.entries(own[language] ?? {})))
  const en = textsIn('en')
  return { en, fr: textsIn('fr'), vendors: [...en.keys()].filter((key) => key.includes('Platform')) }
})

async function readOwn({ labels }: DirectoryDefinition): Promise<VocabularyLabels> {
  if (labels === undefined) return {}
  return labels instanceof URL ? ((await readJsonFile(labels)) as unknown as VocabularyLabels) : labels()
}

/** The text of a label key in the best of the wanted languages that we have, else in English, else the key itself. */
export function translateLabel(labels: Labels, key: string, locales: readonly string[]): string {
  const neutral = labels.vendors.find((one) => isFormOf(one, key)) ?? key
  return labels[languageFor(locales)].get(neutral) ?? labels.en.get(neutral) ?? key
}

/** The best of the wanted languages that vocabularies are written in. */
export function languageFor(locales: readonly string[]): Language {
  for (const locale of locales) {
    const language = locale.slice(0, 2).toLowerCase()
    if (language === 'en' || language === 'fr') return language
  }
  return 'en'
}
