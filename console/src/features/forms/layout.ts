import type { PieceLayout, PieceText } from '../../api/pieces.ts'
import { holds, type Subject } from '../pieces/condition.ts'

/** What is shown of a document, in groups. */
export interface Layout {
  readonly groups: readonly LayoutGroup[]
}

interface LayoutGroup {
  /** A word of the usual groups, or the prefix of a schema. */
  readonly label: string
  /** What a plugin calls it instead. */
  readonly text?: PieceText
  readonly fields: readonly LayoutField[]
}

export interface LayoutField {
  readonly xpath: string
  readonly label?: PieceText
  readonly hint?: PieceText
  readonly width: 'full' | 'half' | 'third'
  /** One that the plugin of the layout brings. */
  readonly widget?: string
}

/** What the server writes itself, or other screens do. */
const unedited: ReadonlySet<string> = new Set([
  'dc:created',
  'dc:modified',
  'dc:creator',
  'dc:contributors',
  'dc:lastContributor',
  'common:icon',
  'common:icon-expanded',
  'file:content',
  'files:files',
  'uid:major_version',
  'uid:minor_version',
])
const uneditedSchemas = ['nxtag', 'relatedtext', 'thumb', 'sec', 'dublincore_system']

const usual = [
  { label: 'main', fields: ['dc:title', 'dc:description', 'note:note'] },
  { label: 'filing', fields: ['dc:nature', 'dc:subjects', 'dc:coverage', 'dc:language', 'dc:expired'] },
  { label: 'origin', fields: ['dc:source', 'dc:rights', 'dc:publisher', 'dc:format', 'dc:issued', 'dc:valid'] },
]

/** The groups of a plugin's layout, as far as their conditions hold, then the usual ones of what is left, then one for each further schema. */
export function layoutFor(xpaths: readonly string[], given?: { readonly layout: PieceLayout; readonly of: Subject }): Layout {
  const there = new Set(xpaths.filter((xpath) => !unedited.has(xpath) && !uneditedSchemas.includes(prefixOf(xpath))))
  const own = given === undefined ? [] : ownGroups(given.layout, given.of, there)
  const groups = usual.map(({ label, fields }) => ({ label, fields: fields.filter((field) => there.delete(field)).map(plain) }))
  const others = [...Map.groupBy(there, prefixOf)].map(([label, fields]) => ({ label, fields: fields.map(plain) }))
  return { groups: [...own, ...groups, ...others].filter(({ fields }) => fields.length > 0) }
}

/** Takes what it names from what is there, also where a condition keeps it from being shown. */
function ownGroups({ groups }: PieceLayout, of: Subject, there: Set<string>): readonly LayoutGroup[] {
  return groups.map(({ label: text, fields, when: groupWhen }, index) => ({
    label: `own-${index}`,
    text,
    fields: fields
      .filter(({ field }) => there.delete(field))
      .filter(({ when }) => holds(groupWhen, of) && holds(when, of))
      .map(({ field: xpath, label, hint, width, widget }) => ({
        xpath,
        width,
        ...(label && { label }),
        ...(hint && { hint }),
        ...(widget !== undefined && { widget }),
      })),
  }))
}

const plain = (xpath: string): LayoutField => ({ xpath, width: 'full' })

const prefixOf = (xpath: string) => xpath.slice(0, xpath.indexOf(':'))
