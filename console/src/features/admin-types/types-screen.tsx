import { useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { pagesOfWhole } from '../../api/administration/entity-pages.ts'
import { modelQuery } from '../../api/administration/model.ts'
import { Message } from '../../ui/message.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { EntityList } from '../administration/entity-list.tsx'
import { Beside, ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { DefinitionDetail } from './definition-detail.tsx'
import { DefinitionLink, type Kind, kinds } from './definition-link.tsx'
import { type Model, typeOverview, typesWith } from './model-overview.ts'
import { useModelWords } from './words.ts'

/** What documents are made of, to be read. */
export function Screen() {
  const say = useModelWords()
  const { rest, search, goTo } = usePlace()
  const kind = kinds.find((one) => one === search.kind) ?? 'types'
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <SearchField label={say('search')} />
          <Segments
            label={say('kinds')}
            selected={kind}
            options={kinds.map((id) => ({ id, label: say(id) }))}
            onSelect={(id) => void goTo('types', { kind: id })}
          />
        </>
      }
    >
      <Shown query={useQuery(modelQuery)} waiting={<Skeleton />}>
        {(model) => (
          <Beside
            list={<Definitions key={kind} model={model} kind={kind} term={search.q ?? ''} open={rest} />}
            detail={rest === '' ? undefined : <DefinitionDetail model={model} kind={kind} name={rest} />}
          />
        )}
      </Shown>
    </ScreenPage>
  )
}

interface Row {
  readonly name: string
  /** What tells most about it. */
  readonly note: string
  readonly count: number
}

const headings = {
  types: ['extends', 'subtypesShort'],
  schemas: ['prefix', 'fieldsShort'],
  facets: ['schemas', 'typesShort'],
  lifecycles: ['initial', 'statesShort'],
} as const

interface DefinitionsProps {
  readonly model: Model
  readonly kind: Kind
  readonly term: string
  readonly open: string
}

function Definitions({ model, kind, term, open }: DefinitionsProps) {
  const say = useModelWords()
  const { number } = useFormats()
  const { search, goTo } = usePlace()
  const [note, count] = headings[kind]
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      render: ({ name }) => <DefinitionLink kind={kind} name={name} isInList />,
    },
    { id: 'note', label: say(note), width: 'minmax(0, 1fr)', render: (row) => row.note },
    { id: 'count', label: say(count), width: '96px', isMinor: true, render: (row) => number(row.count) },
  ]
  const wanted = term.trim().toLowerCase()
  const rows = rowsOf(model, kind).filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <EntityList
      label={say(kind)}
      pages={pagesOfWhole(['model', kind, wanted], async () => rows)}
      columns={columns}
      keyOf={({ name }) => name}
      open={open}
      onOpen={({ name }) => void goTo(`types/${encodeURIComponent(name)}`, search)}
      counted={(total) => say(`${kind}Count`, { count: total })}
      empty={<Message icon={Shapes} title={say('none')} />}
    />
  )
}

function rowsOf(model: Model, kind: Kind): readonly Row[] {
  switch (kind) {
    case 'types':
      return Object.keys(model.doctypes).map((name) => {
        const { supertypes = [], subtypes = [] } = typeOverview(model, name) ?? {}
        return { name, note: supertypes[0] ?? '', count: subtypes.length }
      })
    case 'schemas':
      return model.schemas.map(({ name, '@prefix': prefix, fields }) => ({
        name,
        note: prefix,
        count: Object.keys(fields).length,
      }))
    case 'facets':
      return model.facets.map(({ name, schemas = [] }) => ({
        name,
        note: schemas.map((schema) => schema.name).join(', '),
        count: typesWith(model, 'facets', name).length,
      }))
    case 'lifecycles':
      return model.lifecycles.map(({ name, initial, states }) => ({ name, note: initial, count: states.length }))
  }
}
