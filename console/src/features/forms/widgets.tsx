import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { entriesQuery } from '../../api/definitions.ts'
import { namedDocumentQuery } from '../../api/documents.ts'
import { Choice } from '../../ui/choice.tsx'
import { Choices } from '../../ui/choices.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLanguage } from '../../words/words.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { referenceIn, storedReference } from '../documents/stored-reference.ts'
import { PeopleField } from '../people/people-field.tsx'
import type { Field, FieldKind } from './field.ts'
import { useFormWords } from './words.ts'

export interface WidgetProps {
  readonly field: Field
  readonly label: string
  readonly value: unknown
  readonly mistake?: string
  readonly hint?: string
  onChange(value: unknown): void
}

function TextWidget({ field, label, value, mistake, hint, onChange }: WidgetProps) {
  const lines = (field.longest ?? 0) > 500 ? 'several' : 'one'
  return (
    <TextField
      label={label}
      value={String(value ?? '')}
      onChange={onChange}
      mistake={mistake}
      hint={hint}
      lines={lines}
      maxLength={field.longest}
      isRequired={field.isRequired}
    />
  )
}

function NumberWidget({ field, label, value, mistake, hint, onChange }: WidgetProps) {
  const shown = value === null || value === undefined ? '' : String(value)
  const read = (text: string) => onChange(text.trim() === '' ? null : Number.isNaN(Number(text)) ? text : Number(text))
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={shown}
      onChange={read}
      mistake={mistake}
      hint={hint}
      isRequired={field.isRequired}
    />
  )
}

function BooleanWidget({ label, value, onChange }: WidgetProps) {
  const say = useFormWords()
  const options = [
    { value: '', label: say('unset') },
    { value: 'true', label: say('yes') },
    { value: 'false', label: say('no') },
  ]
  const read = (text: string) => onChange(text === '' ? null : text === 'true')
  return (
    <Choice label={label} value={value === null || value === undefined ? '' : String(value)} options={options} onChange={read} />
  )
}

/** A day: the browser's own control knows the calendar of the language. */
function DateWidget({ label, value, mistake, hint, onChange }: WidgetProps) {
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  const read = (text: string) => onChange(text === '' ? null : `${text}T00:00:00.000Z`)
  return <TextField type="date" label={label} value={day} onChange={read} mistake={mistake} hint={hint} />
}

function EntryWidget({ field, label, value, mistake, onChange }: WidgetProps) {
  const say = useFormWords()
  const language = useLanguage()
  const { data = [] } = useQuery(entriesQuery(field.directory ?? '', { separator: field.separator, language }))
  if (field.isList) {
    return (
      <Choices
        label={label}
        values={asList(value)}
        options={data}
        mistake={mistake}
        words={choicesWords(say)}
        onChange={onChange}
      />
    )
  }
  const current = String(value ?? '')
  const unknown = current !== '' && !data.some((entry) => entry.value === current) ? [{ value: current, label: current }] : []
  const options = [{ value: '', label: say('unset') }, ...unknown, ...data]
  return <Choice label={label} value={current} options={options} onChange={(text) => onChange(text === '' ? null : text)} />
}

/** Users, and groups where the field takes these; whatever a document has there keeps the form in which it has it. */
function PeopleWidget({ field, label, value, mistake, onChange }: WidgetProps) {
  const values = field.isList ? asList(value) : value === null || value === undefined || value === '' ? [] : [String(value)]
  return (
    <PeopleField
      label={label}
      values={values}
      takesGroups={field.takesGroups ?? false}
      isSingle={!field.isList}
      isRequired={field.isRequired}
      mistake={mistake}
      onChange={(next) => onChange(field.isList ? next : (next[0] ?? null))}
    />
  )
}

/** A document by its title; one that cannot be had, as by whoever may not see it, as it is stored. */
function DocumentWidget({ field, label, value, mistake, onChange }: WidgetProps) {
  const stored = typeof value === 'string' ? value : ''
  const { data = { uid: stored, title: stored, path: null, type: '' } } = useQuery({
    ...namedDocumentQuery(referenceIn(stored)),
    enabled: stored !== '',
  })
  return (
    <DocumentField
      label={label}
      chosen={stored === '' ? undefined : data}
      mistake={mistake}
      onChoose={(document) => onChange(storedReference(document, field.form ?? 'id'))}
      {...(!field.isRequired && { onClear: () => onChange(null) })}
    />
  )
}

/** Several texts, one a line. */
function ListWidget({ label, value, mistake, onChange }: WidgetProps) {
  const say = useFormWords()
  const read = (text: string) => onChange(text === '' ? [] : text.split('\n'))
  return (
    <TextField
      label={label}
      hint={say('oneALine')}
      lines="several"
      value={asList(value).join('\n')}
      onChange={read}
      mistake={mistake}
    />
  )
}

const choicesWords = (say: ReturnType<typeof useFormWords>) => ({
  add: say('add'),
  remove: (name: string) => say('remove', { name }),
})

function asList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

const widgets: { readonly [Kind in FieldKind]?: ComponentType<WidgetProps> } = {
  text: TextWidget,
  number: NumberWidget,
  boolean: BooleanWidget,
  date: DateWidget,
  entry: EntryWidget,
  person: PeopleWidget,
  document: DocumentWidget,
}

/** Undefined for what has a screen of its own, such as files. */
export function widgetFor({ kind, isList }: Field): ComponentType<WidgetProps> | undefined {
  return isList && kind !== 'entry' && kind !== 'person'
    ? kind === 'complex' || kind === 'file'
      ? undefined
      : ListWidget
    : widgets[kind]
}
