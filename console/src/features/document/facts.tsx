import type { PieceLayout } from '../../api/pieces.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { useFormats } from '../../words/formats.ts'
import { useStateNames, useTypeNames } from '../documents/type-words.ts'
import { isEmpty } from '../forms/field.ts'
import { layoutFor } from '../forms/layout.ts'
import { PropertyValue } from '../forms/property-value.tsx'
import { useFieldNames } from '../forms/words.ts'
import { LinkedPerson } from '../people/person-link.tsx'
import { useLayoutOf } from '../pieces/use-pieces.ts'
import { useDocumentWords } from './words.ts'

/** Said elsewhere on the page. */
const shownElsewhere: ReadonlySet<string> = new Set(['dc:title', 'note:note', 'note:mime_type'])
const schemasElsewhere = [
  'vid',
  'picture',
  'collectionMember',
  'collection',
  'notif',
  'auxiliary',
  'record',
  'record_state',
  'retention',
  'retention_def',
  'dss',
  'drv',
  'snap',
]

/** What is known of a document: what everything has, then whatever else somebody has filled in. */
export function Facts({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  const nameOf = useFieldNames(document.type)
  const layout = useLayoutOf(document.type)
  const typeName = useTypeNames()
  const stateName = useStateNames()
  const { moment } = useFormats()
  const creator = propertyOf(document, 'dc:creator')
  const usual = [
    ['type', typeName(document.type)],
    ['state', document.state && stateName(document.state)],
    ['version', document.versionLabel],
    ['creator', creator && <LinkedPerson key="creator" reference={creator} />],
    ['created', moment(propertyOf(document, 'dc:created'))],
    ['modified', moment(propertyOf(document, 'dc:modified'))],
  ] as const
  return (
    <FactList>
      {usual
        .filter(([, value]) => value)
        .map(([word, value]) => [<dt key={word}>{say(word)}</dt>, <dd key={`${word}-value`}>{value}</dd>])}
      {filledIn(document, layout).map((xpath) => [
        <dt key={xpath}>{nameOf(xpath)}</dt>,
        <dd key={`${xpath}-value`}>
          <PropertyValue document={document} xpath={xpath} value={document.properties?.[xpath]} />
        </dd>,
      ])}
    </FactList>
  )
}

function filledIn(document: Document, layout: PieceLayout | undefined): readonly string[] {
  const { properties = {} } = document
  const xpaths = Object.keys(properties).filter(
    (xpath) =>
      !isEmpty(properties[xpath]) && !shownElsewhere.has(xpath) && !schemasElsewhere.includes(xpath.slice(0, xpath.indexOf(':'))),
  )
  return layoutFor(xpaths, layout && { layout, of: document }).groups.flatMap(({ fields }) => fields.map(({ xpath }) => xpath))
}
