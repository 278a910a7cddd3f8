import { isEmpty } from '../forms/field.ts'

/** Values by xpath. */
type Values = { readonly [xpath: string]: unknown }

export interface PropertyPair {
  readonly xpath: string
  readonly before: unknown
  readonly after: unknown
  readonly isSame: boolean
}

/** What the server writes with every change, or that is shown in another way: the text, the numbers of the version. */
const leftOut = new Set([
  'dc:modified',
  'dc:lastContributor',
  'dc:contributors',
  'note:note',
  'common:icon',
  'common:icon-expanded',
])
const leftOutSchemas = ['uid', 'thumb', 'relatedtext', 'collectionMember', 'notif']

/** The properties that either of two documents has, and whether they are the same. What is empty in both is left out. */
export function propertyDifferences(before: Values, after: Values): readonly PropertyPair[] {
  const xpaths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...xpaths]
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .filter((xpath) => !leftOut.has(xpath) && !leftOutSchemas.includes(xpath.slice(0, xpath.indexOf(':'))))
    .filter((xpath) => !isEmpty(before[xpath]) || !isEmpty(after[xpath]))
    .map((xpath) => ({
      xpath,
      before: before[xpath],
      after: after[xpath],
      isSame: JSON.stringify(comparable(before[xpath])) === JSON.stringify(comparable(after[xpath])),
    }))
}

/** What people look for first; the rest stays as the server tells it. */
const first = ['dc:title', 'dc:description', 'file:content']

function placeOf(xpath: string): number {
  const place = first.indexOf(xpath)
  return place === -1 ? first.length : place
}

/** A file is the same where its bytes and name are; the address is that of the document it is in. */
function comparable(value: unknown): unknown {
  if (isEmpty(value)) return null
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  if ('digest' in value && 'data' in value) return { digest: value.digest, name: 'name' in value ? value.name : null }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, comparable(inner)]))
}
