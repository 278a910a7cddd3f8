import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { WidgetApi } from '../../../../src/console.ts'
import { schemaQuery } from '../../api/definitions.ts'
import type { PieceComponent } from '../../api/pieces.ts'
import type { Document } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PieceHost } from '../pieces/piece-host.tsx'
import { usePieceApi } from '../pieces/use-piece-api.ts'
import { useLayoutOf, usePieceTexts, useWidget } from '../pieces/use-pieces.ts'
import { Refused } from '../problems/shown.tsx'
import type { Values } from './changes-between.ts'
import { fieldsOf } from './field.ts'
import { type LayoutField, layoutFor } from './layout.ts'
import { type WidgetProps, widgetFor } from './widgets.tsx'
import { useFieldNames, useFormWords } from './words.ts'

export interface FieldGroupsProps {
  readonly document: Document
  readonly values: Values
  readonly mistakes: { readonly [xpath: string]: string }
  onChange(xpath: string, value: unknown): void
  /** Of which fields there is nothing to show, as they are asked for elsewhere. */
  readonly without?: readonly string[]
  /** Of the groups that a plugin has laid out alone. */
  readonly isOwnOnly?: boolean
}

/** The fields of a document as its type and the plugin that knows it lay them out. */
export function FieldGroups({ document, values, mistakes, onChange, without = [], isOwnOnly = false }: FieldGroupsProps) {
  const say = useFormWords()
  const nameOf = useFieldNames(document.type)
  const textOf = usePieceTexts()
  const layout = useLayoutOf(document.type)
  const schemas = useQueries({ queries: document.schemas.map(({ name }) => schemaQuery(name)) })
  const failed = schemas.find(({ error }) => error !== null)
  if (failed !== undefined) return <Refused error={failed.error} onRetry={() => void failed.refetch()} />
  if (schemas.some(({ data }) => data === undefined)) return <Skeleton />
  const fields = new Map(
    schemas.flatMap(({ data }) => (data === undefined ? [] : fieldsOf(data))).map((field) => [field.xpath, field]),
  )
  const xpaths = [...fields.keys()].filter((xpath) => !without.includes(xpath))
  const { groups } = layoutFor(xpaths, layout && { layout, of: { ...document, properties: values } })
  return groups
    .filter(({ text }) => !isOwnOnly || text !== undefined)
    .map(({ label, text, fields: shown }) => (
      <fieldset key={label}>
        <legend>
          {text === undefined
            ? ['main', 'filing', 'origin'].includes(label)
              ? say(label as 'main')
              : nameOf(`:${label}`)
            : textOf(text)}
        </legend>
        {shown.map((one) => {
          const field = fields.get(one.xpath)
          const Widget = field && widgetFor(field)
          if (field === undefined || (Widget === undefined && one.widget === undefined)) return null
          const props: WidgetProps = {
            field,
            label: nameOf(one.xpath),
            value: values[one.xpath],
            mistake: mistakes[one.xpath],
            ...(one.hint && { hint: textOf(one.hint) }),
            onChange: (value) => onChange(one.xpath, value),
          }
          return (
            <div key={one.xpath} data-width={one.width}>
              <OwnWidget shown={one} document={document} values={values} {...props}>
                {Widget === undefined ? null : <Widget {...props} />}
              </OwnWidget>
            </div>
          )
        })}
      </fieldset>
    ))
}

interface OwnWidgetProps extends WidgetProps {
  readonly shown: LayoutField
  readonly document: Document
  readonly values: Values
  /** What edits the field where no plugin does. */
  readonly children: ReactNode
}

function OwnWidget({ children, ...props }: OwnWidgetProps) {
  const widget = useWidget(useLayoutOf(props.document.type), props.shown.widget)
  return widget === undefined ? children : <HostedWidget widget={widget} {...props} instead={children} />
}

interface HostedWidgetProps extends Omit<OwnWidgetProps, 'children'> {
  readonly widget: PieceComponent
  /** Keeps the form usable where the widget is not. */
  readonly instead: ReactNode
}

function HostedWidget({ widget, field, label, hint, value, values, mistake, document, onChange, instead }: HostedWidgetProps) {
  const api = usePieceApi()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is called with the value is the same for all drawings with these values
  const handed = useMemo(
    () => ({
      ...api,
      document,
      field: {
        xpath: field.xpath,
        label,
        isRequired: field.isRequired,
        ...(hint !== undefined && { hint }),
        ...(mistake !== undefined && { mistake }),
      },
      value,
      values,
      change: onChange,
    }),
    [api, document, field.xpath, field.isRequired, label, hint, mistake, value, values],
  )
  return <PieceHost<WidgetApi> component={widget} api={handed} instead={instead} />
}
