/** The languages of an `Accept-Language` header, best first; equal ones stay in the order sent. */
export function parseLocales(header: string | undefined): readonly string[] {
  if (header === undefined) return []
  return header
    .split(',')
    .map(parseRange)
    .filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}

function parseRange(range: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.toLowerCase().startsWith('q='))
  // An unreadable quality means nothing, and so does a missing one: the language is wanted.
  const parsed = quality === undefined ? 1 : Number(quality.slice('q='.length))
  return { tag, quality: Number.isNaN(parsed) ? 1 : parsed }
}

/** The first of the languages that there is, also for a region of it (`fr-CA` is served `fr`); else the fallback. */
export function bestLanguage<Language extends string>(
  locales: readonly string[],
  available: readonly Language[],
  fallback: Language,
): Language {
  for (const locale of locales) {
    const wanted = locale.toLowerCase()
    const found =
      available.find((language) => language.toLowerCase() === wanted) ??
      available.find((language) => language.toLowerCase() === wanted.split('-')[0])
    if (found !== undefined) return found
  }
  return fallback
}
