import { ArrowRight, Shapes } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Lifecycle } from '../../api/administration/model.ts'
import { Message } from '../../ui/message.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Detail } from '../administration/detail.tsx'
import { DefinitionLink, type Kind } from './definition-link.tsx'
import { Fields } from './fields.tsx'
import { facetsWith, type Model, type Part, typeOverview, typesWith } from './model-overview.ts'
import styles from './types.module.css'
import { useModelWords } from './words.ts'

export interface DefinitionDetailProps {
  readonly model: Model
  readonly kind: Kind
  readonly name: string
}

const details = { types: TypeDetail, schemas: SchemaDetail, facets: FacetDetail, lifecycles: LifecycleDetail } as const

export function DefinitionDetail({ model, kind, name }: DefinitionDetailProps) {
  const Shown = details[kind]
  return <Shown model={model} name={name} />
}

interface OneOfModel {
  readonly model: Model
  readonly name: string
}

function TypeDetail({ model, name }: OneOfModel) {
  const say = useModelWords()
  const type = typeOverview(model, name)
  if (type === undefined) return <Missing name={name} />
  const { supertypes, subtypes, facets, schemas, lifecycle } = type
  return (
    <Detail title={name} id={say('type')}>
      <Panel title={say('extends')}>
        {supertypes.length === 0 ? (
          <p className={styles.quiet}>{say('extendsNothing')}</p>
        ) : (
          <ol className={styles.chain}>
            {supertypes.map((one) => (
              <li key={one}>
                <ArrowRight size={14} aria-hidden />
                <DefinitionLink kind="types" name={one} />
              </li>
            ))}
          </ol>
        )}
      </Panel>
      <Names kind="types" title={say('subtypes')} names={subtypes} />
      <Names kind="lifecycles" title={say('lifecycle')} names={lifecycle === undefined ? [] : [lifecycle]} />
      <Parts kind="facets" title={say('facets')} parts={facets} />
      <Parts kind="schemas" title={say('schemas')} parts={schemas} />
    </Detail>
  )
}

function SchemaDetail({ model, name }: OneOfModel) {
  const say = useModelWords()
  const schema = model.schemas.find((one) => one.name === name)
  if (schema === undefined) return <Missing name={name} />
  const { '@prefix': prefix } = schema
  return (
    <Detail title={name} id={prefix === '' ? say('schemas') : `${say('prefix')}: ${prefix}`}>
      <Panel title={say('fields')}>
        <Fields schema={name} />
      </Panel>
      <Names kind="facets" title={say('broughtBy')} names={facetsWith(model, name)} />
      <Names kind="types" title={say('usedBy')} names={typesWith(model, 'schemas', name)} />
    </Detail>
  )
}

function FacetDetail({ model, name }: OneOfModel) {
  const say = useModelWords()
  const facet = model.facets.find((one) => one.name === name)
  if (facet === undefined) return <Missing name={name} />
  return (
    <Detail title={name} id={say('facets')}>
      <Names kind="schemas" title={say('schemas')} names={(facet.schemas ?? []).map((schema) => schema.name)} />
      <Names kind="types" title={say('usedBy')} names={typesWith(model, 'facets', name)} />
    </Detail>
  )
}

function LifecycleDetail({ model, name }: OneOfModel) {
  const say = useModelWords()
  const lifecycle = model.lifecycles.find((one) => one.name === name)
  if (lifecycle === undefined) return <Missing name={name} />
  return (
    <Detail title={name} id={say('lifecycle')}>
      <Panel title={say('states')}>
        <ul className={styles.states} aria-label={say('states')}>
          {lifecycle.states.map((state) => (
            <State key={state.name} state={state} isInitial={state.name === lifecycle.initial} />
          ))}
        </ul>
      </Panel>
      <Names kind="types" title={say('usedBy')} names={lifecycle.types} />
    </Detail>
  )
}

function State({ state, isInitial }: { readonly state: Lifecycle['states'][number]; readonly isInitial: boolean }) {
  const say = useModelWords()
  return (
    <li>
      <strong>{state.name}</strong> {isInitial ? <span className={styles.badge}>{say('isInitial')}</span> : null}
      {state.transitions.length === 0 ? (
        <p className={styles.quiet}>{say('ends')}</p>
      ) : (
        <ul>
          {state.transitions.map(({ name, destination }) => (
            <li key={name}>{say('leads', { transition: name, state: destination })}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

interface NamesProps {
  readonly kind: Kind
  readonly title: string
  readonly names: readonly string[]
}

function Names({ kind, title, names }: NamesProps) {
  return <Parts kind={kind} title={title} parts={names.map((name) => ({ name, isOwn: true }))} />
}

function Parts({
  kind,
  title,
  parts,
}: {
  readonly kind: Kind
  readonly title: string
  readonly parts: readonly Part[]
}): ReactNode {
  const say = useModelWords()
  if (parts.length === 0) return null
  return (
    <Panel title={title}>
      <ul className={styles.names} aria-label={title}>
        {parts.map(({ name, isOwn }) => (
          <li key={name}>
            <DefinitionLink kind={kind} name={name} />
            {isOwn ? null : <small className={styles.quiet}> {say('inherited')}</small>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Missing({ name }: { readonly name: string }) {
  const say = useModelWords()
  return <Message icon={Shapes} title={say('missing', { name })} />
}
