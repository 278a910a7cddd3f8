import { isoDate } from '../../../base/iso-date.ts'
import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { FieldType } from '../../../model/field.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { withoutGroup } from './tag-name.ts'

export const noMetadataValue = defineProblem(
  'noMetadataValue',
  'invalid',
  (of: { tag: string }) =>
    `The value for ${of.tag.slice(0, 100)} must be a text, a number, true or false, a date, or a list of these.`,
)

export const tooMuchMetadata = defineProblem(
  'tooMuchMetadata',
  'tooLarge',
  (of: { most: number; what: string }) => `At most ${of.most} ${of.what} can be written into a file at once.`,
)

/** What is inside a file, by the standard and the name of the tag: `EXIF:Copyright`. */
export type FileMetadata = { readonly [tag: string]: Json }

/** The same as clients want it: those of the tags alone that they name, with the standard or without it. */
export function shownMetadata(
  metadata: FileMetadata,
  { ignorePrefix, tags = [] }: { readonly ignorePrefix: boolean; readonly tags?: readonly string[] },
): FileMetadata {
  const shown: { [tag: string]: Json } = {}
  for (const [name, value] of Object.entries(metadata)) {
    const short = withoutGroup(name)
    const isWanted = tags.length === 0 || tags.some((tag) => tag === name || tag === short)
    const key = ignorePrefix ? short : name
    // Of two standards the first has the word, as it has in exiftool.
    if (isWanted && !Object.hasOwn(shown, key)) shown[key] = value
  }
  return shown
}

/** The value of a tag, named with its standard or without; undefined where the file has none. */
export function tagValue(metadata: FileMetadata, tag: string): Json | undefined {
  return tag.includes(':') ? metadata[tag] : shownMetadata(metadata, { ignorePrefix: true })[tag]
}

/** What a tag says as a property of that type has it; undefined where it says nothing of the kind. */
export function valueForField(value: Json, type: FieldType): Json | undefined {
  switch (type.kind) {
    case 'string':
      return textOf(value)
    case 'long':
      return typeof value === 'number' && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : undefined
    case 'double':
      return typeof value === 'number' ? value : leadingNumber(value)
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'date':
      return momentOf(value)
    case 'list':
      return listOf(value, type.item.type)
    default:
      return undefined
  }
}

function textOf(value: Json): string | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => textOf(item) ?? '').join(', ')
  return value === null || typeof value === 'object' ? undefined : String(value)
}

/** `35.0 mm` */
function leadingNumber(value: Json): number | undefined {
  const number = typeof value === 'string' ? Number.parseFloat(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const moment = /^(\d{4})[-:](\d\d)[-:](\d\d)[T ](\d\d:\d\d:\d\d)/

/** Cameras know no zone: it is taken as that of Greenwich, as the clock of the server is. */
function momentOf(value: Json): string | undefined {
  const [, year, month, day, time] = moment.exec(typeof value === 'string' ? value : '') ?? []
  const date = new Date(`${year}-${month}-${day}T${time}Z`)
  return Number.isNaN(date.getTime()) ? undefined : isoDate(date)
}

function listOf(value: Json, item: FieldType): readonly Json[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((one: Json) => {
    const fitted = valueForField(one, item)
    return fitted === undefined ? [] : [fitted]
  })
}

/** Texts of one tag that are written into a file: several where it is a list, and none takes it out. */
export type WrittenMetadata = { readonly [tag: string]: readonly string[] }

const [mostTags, mostCharacters] = [100, 30_000]

/** @throws noMetadataValue, tooMuchMetadata */
export function writtenValues(tag: string, value: PropertyValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((one: PropertyValue) => writtenText(tag, one))
}

function writtenText(tag: string, value: PropertyValue): string {
  if (value === null || typeof value === 'object') throw noMetadataValue({ tag })
  const text = String(value).replaceAll('\0', ' ')
  if (text.length > mostCharacters) throw tooMuchMetadata({ most: mostCharacters, what: 'characters of one tag' })
  const [, year, month, day, time] = moment.exec(text) ?? []
  const isDate = time !== undefined && !Number.isNaN(Date.parse(text))
  return isDate ? `${year}:${month}:${day} ${time}` : text
}

/** @throws tooMuchMetadata */
export function requireFewTags(metadata: WrittenMetadata): WrittenMetadata {
  const texts = Object.values(metadata).flat()
  if (Object.keys(metadata).length > mostTags || texts.length > mostTags)
    throw tooMuchMetadata({ most: mostTags, what: 'values' })
  return metadata
}
