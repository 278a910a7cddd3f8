import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Constraint, FieldDefinitions } from '../../api/administration/model.ts'
import { schemaQuery } from '../../api/definitions.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './types.module.css'
import { useModelWords } from './words.ts'

/** The fields of a schema, with what their values must be. */
export function Fields({ schema }: { readonly schema: string }) {
  const say = useModelWords()
  return (
    <Shown query={useQuery(schemaQuery(schema))} waiting={<Skeleton />}>
      {({ fields }) => (
        <table className={styles.fields}>
          <thead>
            <tr>
              <th scope="col">{say('field')}</th>
              <th scope="col">{say('type')}</th>
              <th scope="col">{say('rules')}</th>
            </tr>
          </thead>
          <tbody>
            {linesOf(fields).map(({ path, type, constraints }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{type}</td>
                <td>
                  <Rules type={type} constraints={constraints} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Shown>
  )
}

interface Line {
  readonly path: string
  readonly type: string
  readonly constraints: readonly Constraint[]
}

/** Members of what has parts follow it, each with its way. */
function linesOf(fields: FieldDefinitions, above = ''): readonly Line[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${above}${name}`
    if (typeof field === 'string') return [{ path, type: field, constraints: [] }]
    const { type, constraints = [], itemConstraints = [] } = field
    return [{ path, type, constraints: [...constraints, ...itemConstraints] }, ...linesOf(field.fields ?? {}, `${path}/`)]
  })
}

function Rules({ type, constraints }: Omit<Line, 'path'>) {
  const rule = useRule()
  const shown = constraints.filter(({ name }) => name !== type.replace('[]', '')).map(rule)
  return shown.length === 0 ? null : (
    <ul>
      {shown.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a type declares stays as it is while the server runs
        <li key={index}>{text}</li>
      ))}
    </ul>
  )
}

/** Says a rule in words. */
function useRule(): (constraint: Constraint) => ReactNode {
  const say = useModelWords()
  const interval = (min: string | undefined, max: string | undefined) =>
    [...(min === undefined ? [] : [say('from', { min })]), ...(max === undefined ? [] : [say('to', { max })])].join(' ')
  return ({ name, parameters = {} }) => {
    const {
      Minimum: min,
      Maximum: max,
      Pattern: pattern,
      Values: values,
      directory,
    } = parameters as {
      readonly [parameter: string]: string | undefined
    }
    switch (name) {
      case 'NotNullConstraint':
        return say('required')
      case 'LengthConstraint':
        return [
          ...(min === undefined ? [] : [say('lengthFrom', { min })]),
          ...(max === undefined ? [] : [say('lengthTo', { max })]),
        ].join(', ')
      case 'PatternConstraint':
        return say('pattern', { pattern: pattern ?? '' })
      case 'EnumConstraint':
        return say('oneOf', { values: values ?? '' })
      case 'NumericIntervalConstraint':
      case 'DateIntervalConstraint':
        return interval(min, max)
      case 'directoryResolver':
        return (
          <Link to="/admin/$" params={{ _splat: `vocabularies/${encodeURIComponent(directory ?? '')}` }}>
            {say('vocabulary', { name: directory ?? '' })}
          </Link>
        )
      case 'userManagerResolver':
        return say('person')
      case 'documentResolver':
        return say('document')
      default:
        return name
    }
  }
}
