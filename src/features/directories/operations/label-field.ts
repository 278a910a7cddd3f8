import { defineProblem } from '../../../base/problem.ts'
import type { Field } from '../../../model/field.ts'

/** By the names that clients know. */
type Fields = ReadonlyMap<string, Field>

export const unknownLabelField = defineProblem(
  'unknownLabelField',
  'invalid',
  (of: { name: string; directory: string; known: readonly string[] }) =>
    `The directory ${of.directory} has no field ${of.name.slice(0, 100)} for labels. It has ${of.known.join(', ')}.`,
)

export interface LabelWish {
  readonly labelFieldName: string
  /** There is a field for each language. */
  readonly dbl10n: boolean
  readonly lang: string
}

/** The field that holds the label in the language, or in English; undefined when there is none. */
export function findLabelField(fields: Fields, { labelFieldName, dbl10n, lang }: LabelWish): string | undefined {
  const inLanguage = (language: string) =>
    labelFieldName.includes('{lang}') ? labelFieldName.replaceAll('{lang}', language) : `${labelFieldName}_${language}`
  const wanted = dbl10n ? [inLanguage(lang.slice(0, 2)), inLanguage('en'), 'label'] : [labelFieldName]
  return wanted.flatMap((name) => fields.get(name)?.name ?? [])[0]
}

/** @throws unknownLabelField */
export function requireLabelField(directory: string, fields: Fields, wish: LabelWish): string {
  const found = findLabelField(fields, wish)
  if (found !== undefined) return found
  throw unknownLabelField({ name: wish.labelFieldName, directory, known: [...fields.keys()] })
}
