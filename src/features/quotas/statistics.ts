import type { Sizes } from './sizes.ts'

export interface Slice {
  readonly label: string
  /** Bytes */
  readonly data: number
}

const words = {
  en: { live: 'Live documents', trash: 'Trash', versions: 'Versions', units: ['B', 'KB', 'MB', 'GB', 'TB'] },
  fr: { live: 'Documents', trash: 'Corbeille', versions: 'Versions', units: ['o', 'Ko', 'Mo', 'Go', 'To'] },
} as const

type Language = keyof typeof words

/** The pieces of a pie: what is live, in the trash, and in versions. */
export function slicesOf({ total, trash, versions }: Sizes, language: string | undefined): readonly Slice[] {
  const spoken = languageOf(language)
  const { live, trash: bin, versions: old } = words[spoken]
  const slices = [
    { word: live, data: total - trash - versions },
    { word: bin, data: trash },
    { word: old, data: versions },
  ]
  return slices.map(({ word, data }) => ({ label: `${word}:${readable(data, spoken)}`, data }))
}

/** `fr`, `fr-CA` or `fr_CA`; anything else is answered in English. */
function languageOf(language = ''): Language {
  return /^fr(?:[-_]|$)/i.test(language) ? 'fr' : 'en'
}

function readable(bytes: number, language: Language): string {
  const { units } = words[language]
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(bytes / 1024 ** step)
  return `${number} ${units[step]}`
}
