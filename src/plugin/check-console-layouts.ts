import type { Model } from '../model/model.ts'
import { consoleWidths } from '../rest/console/console-pieces.ts'
import { findNearestName } from '../settings/nearest-name.ts'

/** What an author wrote, perhaps in a JavaScript that no compiler has seen. */
export type Unchecked = { readonly [key: string]: unknown }

export function isRecord(value: unknown): value is Unchecked {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with a layout, as a reason that follows its type. */
export function findLayoutMistake(layout: Unchecked, widgets: readonly string[], model: Model): string | undefined {
  const { type, groups = [], columns = [], ...strange } = layout
  const [other] = Object.keys(strange)
  if (other !== undefined) return `has ${other}, which does not exist`
  if (typeof type !== 'string' || !model.types.has(type))
    return `is of an unknown document type${nearestOf(String(type), [...model.types.keys()])}`
  if (!Array.isArray(groups) || !groups.every(isRecord)) return 'has groups that are no list of { label, fields }'
  const shown = new Set<string>()
  for (const group of groups as readonly Unchecked[]) {
    const mistake = findGroupMistake(group, widgets, model, shown)
    if (mistake !== undefined) return mistake
  }
  if (!Array.isArray(columns)) return 'has columns that are no list'
  const listed = new Set<string>()
  for (const column of columns as readonly unknown[]) {
    const mistake = findColumnMistake(typeof column === 'string' ? { field: column } : column, model, listed)
    if (mistake !== undefined) return mistake
  }
  return columns.length > mostColumns ? `has more than ${mostColumns} columns` : undefined
}

const mostColumns = 12

function findGroupMistake(
  { label, fields, when }: Unchecked,
  widgets: readonly string[],
  model: Model,
  shown: Set<string>,
): string | undefined {
  const labelMistake = findTextMistake(label)
  if (labelMistake !== undefined) return `has a group with a label that ${labelMistake}`
  const name = typeof label === 'string' ? label : String((label as Unchecked)['en'])
  if (!Array.isArray(fields) || fields.length === 0) return `has no fields in the group ${name}`
  const conditionMistake = when === undefined ? undefined : findConditionMistake(when, model)
  if (conditionMistake !== undefined) return `has the group ${name}, which ${conditionMistake}`
  for (const field of fields as readonly unknown[]) {
    const mistake = findFieldMistake(typeof field === 'string' ? { field } : field, widgets, model, shown)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

const fieldKeys = ['field', 'label', 'hint', 'width', 'widget', 'when']

function findFieldMistake(given: unknown, widgets: readonly string[], model: Model, shown: Set<string>): string | undefined {
  const mistake = findShownMistake(given, fieldKeys, model, shown)
  if (mistake !== undefined) return mistake
  const { field, label, hint, width = 'full', widget, when } = given as Unchecked
  const text = [label, hint].find((one) => one !== undefined && findTextMistake(one) !== undefined)
  if (text !== undefined) return `shows ${String(field)} with a text that ${findTextMistake(text)}`
  if (!consoleWidths.some((one) => one === width))
    return `shows ${String(field)} with the width ${String(width)}, which is none of ${consoleWidths.join(', ')}`
  if (widget !== undefined && !widgets.includes(String(widget)))
    return `shows ${String(field)} with the widget ${String(widget)}, which is none of its plugin's${nearestOf(String(widget), widgets)}`
  const condition = when === undefined ? undefined : findConditionMistake(when, model)
  return condition === undefined ? undefined : `shows ${String(field)}, which ${condition}`
}

function findColumnMistake(given: unknown, model: Model, listed: Set<string>): string | undefined {
  const mistake = findShownMistake(given, ['field', 'label', 'width'], model, listed)
  if (mistake !== undefined) return mistake
  const { field, label, width = 140 } = given as Unchecked
  if (label !== undefined && findTextMistake(label) !== undefined)
    return `has the column ${String(field)} with a label that ${findTextMistake(label)}`
  const isWidth = Number.isSafeInteger(width) && (width as number) >= 40 && (width as number) <= 600
  return isWidth ? undefined : `has the column ${String(field)} with the width ${String(width)}: say pixels, from 40 to 600`
}

function findShownMistake(given: unknown, keys: readonly string[], model: Model, shown: Set<string>): string | undefined {
  if (!isRecord(given)) return `shows ${String(given)}, which is neither the name of a field nor an object with one`
  const { field } = given
  const strange = Object.keys(given).find((key) => !keys.includes(key))
  if (strange !== undefined) return `shows ${String(field)} with ${strange}, which does not exist${nearestOf(strange, keys)}`
  if (typeof field !== 'string' || model.findProperty(field)?.name !== field)
    return `shows ${String(field)}, which no document has${nearestOf(String(field), fieldNames(model))}`
  if (shown.has(field)) return `shows ${field} twice`
  shown.add(field)
  return undefined
}

function fieldNames(model: Model): readonly string[] {
  return [...model.schemas.values()].flatMap((schema) => model.propertiesOf(schema).map(({ name }) => name))
}

/** What is wrong with a text in one or more languages, as a reason that follows it. */
export function findTextMistake(text: unknown): string | undefined {
  const isText = (one: unknown) => typeof one === 'string' && one.trim() !== '' && one.length <= 200
  if (isText(text)) return undefined
  if (!isRecord(text)) return 'is no text of up to 200 characters, nor one for each language: { en, fr }'
  const strange = Object.keys(text).find((language) => language !== 'en' && language !== 'fr')
  if (strange !== undefined) return `has the language ${strange}: the console speaks en and fr`
  return isText(text['en']) && (text['fr'] === undefined || isText(text['fr']))
    ? undefined
    : 'has no text of up to 200 characters for en'
}

const deepest = 8

const kinds = ['type', 'facet', 'state', 'permission', 'field', 'all', 'any', 'not']

/** What is wrong with a condition, as a reason that follows what has it. Conditions are data: nothing in them is ever run. */
export function findConditionMistake(condition: unknown, model: Model, depth = 1): string | undefined {
  if (depth > deepest) return `has a condition that is deeper than ${deepest} levels`
  if (!isRecord(condition)) return `has the condition ${String(condition)}, which is no object`
  const keys = Object.keys(condition)
  const kind = kinds.find((one) => one in condition)
  const allowed = kind === 'field' ? ['field', 'is', 'isSet'] : [kind]
  if (kind === undefined || keys.length !== (kind === 'field' ? 2 : 1) || keys.some((key) => !allowed.includes(key)))
    return `has a condition with ${keys.join(', ') || 'nothing'}: it has one of type, facet, state, permission, all, any and not, or field with is or isSet`
  const value = condition[kind]
  if (kind === 'all' || kind === 'any') {
    if (!Array.isArray(value)) return `has a condition whose ${kind} is no list`
    return value.map((one) => findConditionMistake(one, model, depth + 1)).find((mistake) => mistake !== undefined)
  }
  if (kind === 'not') return findConditionMistake(value, model, depth + 1)
  return kind === 'field' ? findComparisonMistake(condition, model) : findNamesMistake(kind, value, model)
}

function findComparisonMistake({ field, is, isSet }: Unchecked, model: Model): string | undefined {
  if (typeof field !== 'string' || model.findProperty(field)?.name !== field)
    return `has a condition on ${String(field)}, which no document has${nearestOf(String(field), fieldNames(model))}`
  if (isSet !== undefined) return typeof isSet === 'boolean' ? undefined : `has a condition whose isSet is neither true nor false`
  const values: readonly unknown[] = Array.isArray(is) ? is : [is]
  const isValue = (one: unknown) => one === null || ['string', 'number', 'boolean'].includes(typeof one)
  return values.every(isValue)
    ? undefined
    : `has a condition on ${field} whose is is no text, number, true, false, null or list of them`
}

function findNamesMistake(kind: string, value: unknown, model: Model): string | undefined {
  const names: readonly unknown[] = Array.isArray(value) && kind !== 'facet' && kind !== 'permission' ? value : [value]
  if (names.length === 0 || !names.every((one) => typeof one === 'string')) return `has a condition whose ${kind} is no name`
  const known: { readonly [kind: string]: readonly string[] } = {
    type: [...model.types.keys()],
    facet: [...model.facets.keys()],
    permission: model.permissions.names,
  }
  const unknown = (names as readonly string[]).find((name) => known[kind]?.includes(name) === false)
  return unknown === undefined
    ? undefined
    : `has a condition on the unknown ${kind} ${unknown}${nearestOf(unknown, known[kind] ?? [])}`
}

/** Asks whether a known name was meant, where one is close. */
export function nearestOf(mistyped: string, names: readonly string[]): string {
  const nearest = findNearestName(mistyped, names)
  return nearest === undefined ? '' : `: did you mean ${nearest}?`
}
