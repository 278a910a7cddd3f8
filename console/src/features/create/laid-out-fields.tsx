import { useQuery } from '@tanstack/react-query'
import { emptyDocumentQuery } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FieldGroups, type FieldGroupsProps } from '../forms/field-groups.tsx'
import formStyles from '../forms/property-form.module.css'
import { Shown } from '../problems/shown.tsx'

const askedAbove = ['dc:title', 'dc:description']

interface LaidOutFieldsProps extends Pick<FieldGroupsProps, 'values' | 'mistakes' | 'onChange'> {
  readonly folder: Document
  readonly type: string
}

/** What the plugin of a type wants to know from the beginning, such as what no document of the type is without. */
export function LaidOutFields({ folder, type, values, ...rest }: LaidOutFieldsProps) {
  const query = useQuery(emptyDocumentQuery(folder.uid, type))
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(document) => (
        <div className={formStyles.form}>
          <FieldGroups
            document={document}
            values={{ ...document.properties, ...values }}
            without={askedAbove}
            isOwnOnly
            {...rest}
          />
        </div>
      )}
    </Shown>
  )
}
