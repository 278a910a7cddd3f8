import { type ReactNode, useMemo } from 'react'
import { type Document, mainFileOf, propertyOf } from '../../api/types.ts'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { useStateNames, useTypeNames } from '../documents/type-words.ts'
import { isEmpty } from '../forms/field.ts'
import { PropertyValue } from '../forms/property-value.tsx'
import { useFieldNames } from '../forms/words.ts'
import { PersonName } from '../people/person.tsx'
import { type PieceColumn, usePieceTexts } from '../pieces/use-pieces.ts'
import { TagChips } from '../tags/tag-chips.tsx'
import styles from './document-listing.module.css'
import type { ColumnId } from './kept-view.ts'
import { useListingWords } from './words.ts'

/** The title, with what else is said below it, and the columns that somebody wants. */
export function useColumns(
  wanted: readonly ColumnId[],
  further: readonly PieceColumn[],
  below?: (row: Document) => ReactNode,
): readonly Column<Document>[] {
  const say = useListingWords()
  const { ago, size } = useFormats()
  const typeName = useTypeNames()
  const stateName = useStateNames()
  const textOf = usePieceTexts()
  const nameOf = useFieldNames()
  return useMemo(() => {
    const shown: Record<ColumnId, Omit<Column<Document>, 'id' | 'label'>> = {
      'ecm:primaryType': { width: '120px', isMinor: true, isSortable: true, render: ({ type }) => typeName(type) },
      'dc:modified': { width: '130px', isSortable: true, render: (row) => ago(propertyOf(row, 'dc:modified')) },
      'dc:lastContributor': { width: '130px', isMinor: true, render: (row) => personIn(row, 'dc:lastContributor') },
      'file:content/length': { width: '90px', isMinor: true, isSortable: true, render: (row) => size(mainFileOf(row)?.length) },
      'dc:created': { width: '130px', isMinor: true, isSortable: true, render: (row) => ago(propertyOf(row, 'dc:created')) },
      'dc:creator': { width: '130px', isMinor: true, isSortable: true, render: (row) => personIn(row, 'dc:creator') },
      version: { width: '80px', isMinor: true, render: versionOf },
      state: { width: '100px', isMinor: true, render: ({ state }) => stateName(state ?? '') },
    }
    const title: Column<Document> = {
      id: 'dc:title',
      label: say('dc:title'),
      width: 'minmax(0, 1fr)',
      isSortable: true,
      render: (row) => (
        <>
          <span className={styles.name}>
            <DocumentLink document={row} />
            <TagChips document={row} />
          </span>
          {below?.(row)}
        </>
      ),
    }
    const own = further.map(
      ({ field, label, width, isSortable }): Column<Document> => ({
        id: field,
        label: label === undefined ? nameOf(field) : textOf(label),
        width: `${width}px`,
        isMinor: true,
        isSortable,
        // A list has documents of other types as well.
        render: (row) =>
          isEmpty(row.properties?.[field]) ? null : (
            <PropertyValue document={row} xpath={field} value={row.properties?.[field]} isInline />
          ),
      }),
    )
    return [title, ...own, ...wanted.map((id) => ({ id, label: say(id), ...shown[id] }))]
  }, [wanted, further, below, say, ago, size, typeName, stateName, textOf, nameOf])
}

function personIn(row: Document, xpath: string): ReactNode {
  const name = propertyOf(row, xpath)
  return name === undefined ? null : <PersonName reference={name} />
}

function versionOf(row: Document): string {
  const major = propertyOf<number>(row, 'uid:major_version') ?? 0
  const minor = propertyOf<number>(row, 'uid:minor_version') ?? 0
  if (major === 0 && minor === 0) return ''
  return `${major}.${minor}${row.isCheckedOut ? '+' : ''}`
}
