const powers = ['', 'k', 'm', 'g', 't'] as const
const shape = /^(\d{1,15}(?:[.,]\d{1,6})?)\s*(?:([kmgt]?)(i?)(?:b|o|byte|bytes|octet|octets))?$/i

/** Bytes, as `10 GB`, `1,5 Go`, `512 MiB` or `1024` say; undefined for what says no size. Units are thousands, as wherever sizes are shown. */
export function parseSize(text: string): number | undefined {
  const found = shape.exec(text.trim().replaceAll(/[\u00a0\u202f]/g, ' '))
  if (found === null) return undefined
  const [, count = '', power = '', binary = ''] = found
  if (binary !== '' && power === '') return undefined
  const step = binary === '' ? 1_000 : 1_024
  const bytes = Math.round(Number(count.replace(',', '.')) * step ** powers.indexOf(power.toLowerCase() as ''))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

const units = {
  en: ['B', 'kB', 'MB', 'GB', 'TB'],
  fr: ['o', 'ko', 'Mo', 'Go', 'To'],
} as const

/** A size as one would type it, in the largest unit that says it to the byte. */
export function sizeText(bytes: number, language: keyof typeof units): string {
  const exact = units[language].findLastIndex((_, power) => bytes % 1_000 ** power === 0)
  const power = bytes === 0 ? 0 : exact
  return `${bytes / 1_000 ** power} ${units[language][power]}`
}
