/** Which fields a form shows, in which order; the rest of a type's schemas follows in groups of its own. */
export interface Layout {
  readonly groups: readonly { readonly label: string; readonly fields: readonly string[] }[]
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

const usual: Layout = {
  groups: [
    { label: 'main', fields: ['dc:title', 'dc:description', 'note:note'] },
    { label: 'filing', fields: ['dc:nature', 'dc:subjects', 'dc:coverage', 'dc:language', 'dc:expired'] },
    { label: 'origin', fields: ['dc:source', 'dc:rights', 'dc:publisher', 'dc:format', 'dc:issued', 'dc:valid'] },
  ],
}

/** The usual groups of what there is, then one for each further schema. */
export function layoutFor(xpaths: readonly string[], layout = usual): Layout {
  const there = new Set(xpaths.filter((xpath) => !unedited.has(xpath) && !uneditedSchemas.includes(prefixOf(xpath))))
  const groups = layout.groups.map(({ label, fields }) => ({ label, fields: fields.filter((field) => there.delete(field)) }))
  const others = Map.groupBy(there, prefixOf)
  return {
    groups: [...groups, ...[...others].map(([label, fields]) => ({ label, fields }))].filter(({ fields }) => fields.length > 0),
  }
}

const prefixOf = (xpath: string) => xpath.slice(0, xpath.indexOf(':'))
