import type { ServerSetting } from '../../api/administration/server-settings.ts'
import type { Formats } from '../../words/formats.ts'

export const settingSources = ['commandLine', 'environment', 'file', 'default'] as const
export type SettingSource = (typeof settingSources)[number]

/** Where it was given: a flag begins with dashes, a variable is all capitals, and a line of a file says so. */
export function sourceOf({ origin }: Pick<ServerSetting, 'origin'>): SettingSource {
  if (origin === null) return 'default'
  if (origin.startsWith('--')) return 'commandLine'
  return /^[A-Z][A-Z0-9_]*$/.test(origin) ? 'environment' : 'file'
}

/** Whether all words are somewhere in what it is called and what it does. */
export function isLike(setting: ServerSetting, text: string): boolean {
  const { name, flag, variable, property, help } = setting
  const searched = [name, flag, variable, property ?? '', help].join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

const durations = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** As people say it: sizes and times in a unit that fits, texts as they are. Undefined where it is not set. */
export function shownValue(
  { type, value }: Pick<ServerSetting, 'type' | 'value'>,
  language: string,
  formats: Formats,
): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (type === 'bytes' && typeof value === 'number') return formats.size(value)
  if (type === 'duration' && typeof value === 'number') return shownDuration(value, language)
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(String).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shownDuration(milliseconds: number, language: string): string {
  const [unit, length] = durations.find(([, one]) => milliseconds >= one && milliseconds % one === 0) ?? ['millisecond', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(milliseconds / length)
}
