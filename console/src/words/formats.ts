import { type Language, useLanguage } from './words.ts'

export interface Formats {
  date(iso: string | null | undefined): string
  /** A day that was chosen in a calendar, wherever one is; of anything else the time of day, too. */
  chosen(iso: string | null | undefined): string
  moment(iso: string | null | undefined): string
  /** How long ago, or the date once that says more. */
  ago(iso: string | null | undefined, now?: number): string
  size(bytes: number | string | null | undefined): string
  number(value: number): string
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const spans = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const
const longestSpanSeconds = 7 * 86_400

export function formatsIn(language: Language): Formats {
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const numbers = new Intl.NumberFormat(language)
  const sizes = units.map((unit, power) => {
    const digits = { maximumFractionDigits: power > 1 ? 1 : 0 }
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: power === 0 ? 'long' : 'short', ...digits })
  })
  const shown = (iso: string | null | undefined, format: (date: Date) => string) => (iso ? format(new Date(iso)) : '')
  return {
    date: (iso) => shown(iso, (date) => dates.format(date)),
    chosen: (iso) => shown(iso, (date) => (iso?.endsWith('T00:00:00.000Z') ? days : moments).format(date)),
    moment: (iso) => shown(iso, (date) => moments.format(date)),
    ago: (iso, now = Date.now()) =>
      shown(iso, (date) => {
        const seconds = (now - date.getTime()) / 1_000
        if (Math.abs(seconds) < 60) return relative.format(0, 'second')
        if (Math.abs(seconds) > longestSpanSeconds) return dates.format(date)
        const [unit, length] = spans.findLast(([, least]) => Math.abs(seconds) >= least) ?? spans[0]
        return relative.format(-Math.round(seconds / length), unit)
      }),
    size(bytes) {
      if (bytes === null || bytes === undefined || bytes === '') return ''
      const count = Number(bytes)
      const power = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
      return sizes[power]?.format(count / 1_000 ** power) ?? ''
    },
    number: (value) => numbers.format(value),
  }
}

// One for each language there is: what formats dates costs more to make than a row of a list.
const made: Partial<Record<Language, Formats>> = {}

export function useFormats(): Formats {
  const language = useLanguage()
  made[language] ??= formatsIn(language)
  return made[language]
}
