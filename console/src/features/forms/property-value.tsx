import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { entriesQuery, schemaQuery } from '../../api/definitions.ts'
import type { Blob, Document } from '../../api/types.ts'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import { ReferredDocument } from '../documents/referred-document.tsx'
import { PersonName } from '../people/person.tsx'
import { type Field, fieldsOf, isEmpty } from './field.ts'
import { useFormWords } from './words.ts'

export interface PropertyValueProps {
  readonly document: Document
  readonly xpath: string
  readonly value: unknown
  /** Several stand in a row, where there is no room for a list. */
  readonly isInline?: boolean
}

/** A value as people read it: dates as dates, entries of vocabularies by their names, files by theirs. */
export function PropertyValue({ document, xpath, value, isInline = false }: PropertyValueProps) {
  const schema = document.schemas.find(({ name, prefix }) => (prefix || name) === xpath.slice(0, xpath.indexOf(':')))
  const { data } = useQuery({ ...schemaQuery(schema?.name ?? ''), enabled: schema !== undefined })
  const field = data && fieldsOf(data).find((one) => one.xpath === xpath)
  if (isEmpty(value)) return '–'
  if (field?.kind === 'entry') return <EntryValue field={field} value={value} />
  return <PlainValue kind={field?.kind} value={value} isInline={isInline} />
}

function EntryValue({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const language = useLanguage()
  const { data = [] } = useQuery(entriesQuery(field.directory ?? '', { separator: field.separator, language }))
  const values = Array.isArray(value) ? value.map(String) : [String(value)]
  return values.map((one) => data.find((entry) => entry.value === one)?.label ?? one).join(', ')
}

interface PlainValueProps extends Pick<PropertyValueProps, 'value' | 'isInline'> {
  readonly kind: Field['kind'] | undefined
}

function PlainValue({ kind, value, isInline = false }: PlainValueProps) {
  const say = useFormWords()
  const { chosen, size, number } = useFormats()
  if (Array.isArray(value) && isInline) {
    return value.map((one, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: values have no other name
      <Fragment key={index}>
        {index === 0 ? null : ', '}
        <PlainValue kind={kind} value={one} isInline />
      </Fragment>
    ))
  }
  if (Array.isArray(value)) {
    return (
      <ul>
        {value.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no other name
          <li key={index}>
            <PlainValue kind={kind} value={one} />
          </li>
        ))}
      </ul>
    )
  }
  if (kind === 'person') return <PersonName reference={String(value)} />
  if (kind === 'document') return <ReferredDocument stored={String(value)} isInline={isInline} />
  if (kind === 'date') return chosen(String(value))
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (kind === 'number' && typeof value === 'number') return number(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if ('digest' in value) {
    const { name, length } = value as Blob
    return `${name ?? ''} (${size(length)})`
  }
  const parts = Object.values(value).filter((one) => !isEmpty(one))
  return parts.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')
}
