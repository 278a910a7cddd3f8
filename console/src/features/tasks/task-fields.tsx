import { useQueries } from '@tanstack/react-query'
import { schemaQuery } from '../../api/definitions.ts'
import type { Task } from '../../api/workflow.ts'
import { FormattedText } from '../../ui/formatted-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { type Field, fieldsOf } from '../forms/field.ts'
import { widgetFor } from '../forms/widgets.tsx'
import { Person } from '../people/person.tsx'
import { Refused } from '../problems/shown.tsx'
import { layoutOf, type TaskLayout } from './task-layout.ts'
import styles from './tasks.module.css'
import { useVariableNames } from './words.ts'

export interface TaskFieldsProps {
  readonly task: Task
  readonly values: { readonly [name: string]: unknown }
  readonly mistakes: { readonly [name: string]: string }
  onChange(name: string, value: unknown): void
}

/** What a task shows of its workflow, and what it asks for, as the definitions of the variables say. */
export function TaskFields({ task, values, mistakes, onChange }: TaskFieldsProps) {
  const nameOf = useVariableNames()
  const layout = layoutOf(task)
  const wanted = [...layout.shows, ...layout.edits]
  const schemas = useQueries({ queries: wanted.length === 0 ? [] : schemasOf(task).map((name) => schemaQuery(name)) })
  if (wanted.length === 0) return null
  const failed = schemas.find(({ error }) => error !== null)
  if (failed !== undefined) return <Refused error={failed.error} onRetry={() => void failed.refetch()} />
  if (schemas.some(({ data }) => data === undefined)) return <Skeleton />
  const fields = new Map(
    schemas.flatMap(({ data }) => (data === undefined ? [] : fieldsOf(data))).map((field) => [bareName(field), field]),
  )
  return (
    <>
      {layout.shows
        .filter((name) => !isEmpty(task.variables[name]))
        .map((name) => (
          <div key={name} className={styles.shown}>
            <h3>{nameOf(name)}</h3>
            <Value value={task.variables[name]} field={fields.get(name)} />
          </div>
        ))}
      {layout.edits.map((name) => {
        const field = editedAs(fields.get(name), layout, name)
        const Widget = field && widgetFor(field)
        return field === undefined || Widget === undefined ? null : (
          <Widget
            key={name}
            field={field}
            label={nameOf(name)}
            value={values[name]}
            mistake={mistakes[name]}
            onChange={(value) => onChange(name, value)}
          />
        )
      })}
    </>
  )
}

/** Those of the node's own variables, and of those of the workflow that it exposes. */
function schemasOf({ taskInfo, nodeName, variables }: Task): readonly string[] {
  const own = (taskInfo?.schemas ?? []).map(({ name }) => name).filter((name) => name.startsWith('var_'))
  const exposed = `var_global_${nodeName ?? ''}`
  const isExposing = Object.keys(variables).some((name) => name !== 'comment' && name !== 'assignees')
  return isExposing && !own.includes(exposed) ? [...own, exposed] : own
}

const bareName = ({ xpath }: Field) => xpath.slice(xpath.lastIndexOf(':') + 1)

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function editedAs(field: Field | undefined, { needs, directories }: TaskLayout, name: string): Field | undefined {
  const directory = directories[name]
  return (
    field && { ...field, isRequired: needs.includes(name), ...(directory !== undefined && { kind: 'entry' as const, directory }) }
  )
}

function Value({ value, field }: { readonly value: unknown; readonly field: Field | undefined }) {
  const { chosen } = useFormats()
  if (field?.kind === 'person') {
    const people = (Array.isArray(value) ? value : [value]).map(String)
    return (
      <ul className={styles.people}>
        {people.map((reference) => (
          <li key={reference}>
            <Person reference={reference} />
          </li>
        ))}
      </ul>
    )
  }
  if (field?.kind === 'date') return <p>{chosen(String(value))}</p>
  return <FormattedText text={Array.isArray(value) ? value.map(String).join('\n') : String(value)} />
}
