import { parseIsoDate } from '../../base/iso-date.ts'
import { parseJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { storableText } from '../../store/storable-text.ts'
import type { AuditFilter } from './audit-query.ts'

export const invalidAuditDate = defineProblem(
  'invalidAuditDate',
  'invalid',
  (of: { parameter: string; text: string }) =>
    `${of.parameter} is no date: ${of.text.slice(0, 100)}. Write it as 2026-03-02 or 2026-03-02T08:11:03.214Z.`,
)
export const tooManyAuditValues = defineProblem(
  'tooManyAuditValues',
  'invalid',
  (of: { parameter: string; max: number }) => `${of.parameter} has more than ${of.max} values. Ask for fewer.`,
)
export const invalidAuditList = defineProblem(
  'invalidAuditList',
  'invalid',
  (of: { parameter: string; text: string }) =>
    `${of.parameter} is no list of texts: ${of.text.slice(0, 100)}. Write it as ["documentCreated","documentModified"].`,
)
export const invalidLogId = defineProblem(
  'invalidLogId',
  'invalid',
  (of: { text: string }) => `logId is no id of a row: ${of.text.slice(0, 100)}. Send a whole number.`,
)

const maxValues = 100

/** What was sent, each as one text or many, by the names of the contract. */
interface SentFilter {
  readonly eventId?: readonly string[] | undefined
  readonly category?: readonly string[] | undefined
  readonly principalName?: readonly string[] | undefined
  readonly startEventDate?: string | undefined
  readonly endEventDate?: string | undefined
}

/** The filter of `@audit` and of the enricher. @throws invalidAuditDate, tooManyAuditValues */
export function filterOf(sent: SentFilter): AuditFilter {
  return {
    eventIds: namesOf('eventId', sent.eventId),
    categories: namesOf('category', sent.category),
    principalNames: namesOf('principalName', sent.principalName),
    ...dateOf('from', 'startEventDate', sent.startEventDate),
    ...dateOf('to', 'endEventDate', sent.endEventDate),
  }
}

/** The filter of a page provider: fields of `basicauditsearch`, with its prefix, its name or neither before them. */
export function namedFilterOf({ named = {} }: ProviderRequest): AuditFilter {
  const values = (...names: readonly string[]) =>
    namesOf(
      names[0] ?? '',
      names.flatMap((name) => textsOf(sentAs(named, name)).flatMap((one) => itemsIn(name, one))),
    )
  const text = (name: string) => textsOf(sentAs(named, name)).find((one) => one.trim() !== '')
  const [docType, docPath, repositoryId, logId] = [
    text('targetDocumentType'),
    text('targetDocumentPath'),
    text('targetRepository'),
    text('logId'),
  ]
  return {
    eventIds: values('eventIds', 'eventId'),
    categories: values('eventCategories', 'eventCategory'),
    principalNames: values('principalNames', 'principalName'),
    ...dateOf('from', 'startDate', text('startDate')),
    ...dateOf('to', 'endDate', text('endDate')),
    ...(docType !== undefined && { docType: storableText(docType) }),
    ...(docPath !== undefined && { docPath: storableText(docPath) }),
    ...(repositoryId !== undefined && { repositoryId: storableText(repositoryId) }),
    ...(logId !== undefined && { logId: logIdOf(logId) }),
  }
}

/** The document that a named filter is about. @throws unstorableText */
export function targetOf({ named = {} }: ProviderRequest): string | undefined {
  const target = textsOf(sentAs(named, 'targetDocumentUUID')).find((one) => one.trim() !== '')
  return target === undefined ? undefined : storableText(target)
}

function sentAs(named: Properties, name: string): PropertyValue | undefined {
  return named[name] ?? named[`bas:${name}`] ?? named[`basicauditsearch:${name}`]
}

/** A list comes as JSON, as that of every search does. @throws invalidAuditList */
function itemsIn(parameter: string, text: string): readonly string[] {
  if (!text.trim().startsWith('[')) return [text]
  const items = findItems(text)
  if (items === undefined) throw invalidAuditList({ parameter, text })
  return items
}

function findItems(text: string): readonly string[] | undefined {
  try {
    const json = parseJson(text)
    return Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function textsOf(value: PropertyValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item as PropertyValue))
  return typeof value === 'object' ? [] : [String(value)]
}

/** Each may be a list with commas, as browsers join what is an array. */
function namesOf(parameter: string, texts: readonly string[] = []): readonly string[] {
  const names = new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))
  names.delete('')
  if (names.size > maxValues) throw tooManyAuditValues({ parameter, max: maxValues })
  return [...names].map((name) => storableText(name))
}

function dateOf<Bound extends 'from' | 'to'>(
  bound: Bound,
  parameter: string,
  sent: string | undefined,
): { readonly [bound in Bound]?: number } {
  const given = sent === undefined || sent.trim() === '' ? {} : { [bound]: parseAuditDate(parameter, sent) }
  return given as { readonly [bound in Bound]?: number }
}

const plainDay = /^(\d{4})-(\d{2})-(\d{2})$/
const dayOrMoment = /^\d{4}-\d{2}-\d{2}(?:$|T\d)/

/** A day alone is its midnight where the server is. Gives milliseconds. @throws invalidAuditDate */
export function parseAuditDate(parameter: string, sent: string): number {
  const text = sent.trim()
  const moment = dayOrMoment.test(text) ? parseIsoDate(text) : undefined
  if (moment === undefined) throw invalidAuditDate({ parameter, text })
  const [, year, month, day] = plainDay.exec(text) ?? []
  return year === undefined ? Date.parse(moment) : new Date(Number(year), Number(month) - 1, Number(day)).getTime()
}

function logIdOf(text: string): number {
  const id = Number(text)
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(id)) throw invalidLogId({ text })
  return id
}
