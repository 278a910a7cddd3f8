import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, SlidersHorizontal, TextSearch, X } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { type Criteria, parametersOf, quickFilters } from '../../api/criteria.ts'
import { quote } from '../../api/documents.ts'
import { foundQuery, searchPageSize, searchProvider } from '../../api/search.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { useLanguage } from '../../words/words.ts'
import { SelectedCount, SelectionActions, useLongSelection } from '../bulk/long-selection.tsx'
import { DocumentListing } from '../listing/document-listing.tsx'
import { type KeptView, useKeptView } from '../listing/kept-view.ts'
import { usePages } from '../listing/use-pages.ts'
import { ViewMenu } from '../listing/view-menu.tsx'
import { useListedSchemas } from '../pieces/use-pieces.ts'
import { later } from '../problems/later.tsx'
import { SaveSearch } from '../saved-searches/save-search.tsx'
import { SavedSearches } from '../saved-searches/saved-searches.tsx'
import { FacetPanel } from './facet-panel.tsx'
import { Found } from './found.tsx'
import styles from './search.module.css'
import { addressFor, criteriaIn, isEmpty } from './search-address.ts'
import { useSearchWords } from './words.ts'

const ExpertSearch = later(async () => (await import('./expert-search.tsx')).ExpertSearch, { isPage: true })

const route = getRouteApi('/search')

/** What somebody looks for, what was found, and the searches that were kept. */
export function SearchPage() {
  const say = useSearchWords()
  const navigate = route.useNavigate()
  const address = route.useSearch()
  const criteria = criteriaIn(address)
  if (address.nxql !== undefined)
    return (
      <Suspense>
        <ExpertSearch key={address.nxql} nxql={address.nxql} savedId={address.saved} />
      </Suspense>
    )
  if (!isEmpty(criteria)) return <Results criteria={criteria} />
  return (
    <div className={styles.begin}>
      <h1>{say('title')}</h1>
      <Message icon={TextSearch} title={say('begin')}>
        <p>{say('beginHint')}</p>
      </Message>
      <QuickFilters criteria={criteria} onChange={(next) => void navigate({ search: addressFor(next) })} />
      <SavedSearches />
      <p>
        <ExpertLink criteria={criteria} />
      </p>
    </div>
  )
}

/** What each order is called, and what it is by. */
const orders = { best: '', newest: 'dc:modified desc', oldest: 'dc:modified asc', byTitle: 'dc:title asc' } as const

function Results({ criteria }: { readonly criteria: Criteria }) {
  const say = useSearchWords()
  const language = useLanguage()
  const navigate = route.useNavigate()
  const address = route.useSearch()
  const [kept, keep] = useKeptView('results')
  const view: KeptView = { ...kept, ...(address.layout && { layout: address.layout }) }
  const selection = useLongSelection()
  const schemas = useListedSchemas()
  const [showsFacets, setShowsFacets] = useState(false)
  // Without words nothing fits better than another.
  const sorted: Criteria =
    criteria.words === undefined && criteria.sort === undefined
      ? { ...criteria, sort: { by: 'dc:modified', order: 'desc' } }
      : criteria
  const pages = usePages({ pageSize: searchPageSize, page: (index) => foundQuery(sorted, index, language, schemas) })
  const look = (next: Criteria) => {
    const { saved, layout } = address
    selection.clear()
    void navigate({ search: { ...addressFor(next), ...(saved !== undefined && { saved }), ...(layout && { layout }) } })
  }
  const { below, sort } = criteria
  const sayBelow = useCallback((row: Document) => <Found document={row} />, [])
  const chosenCount = Object.values(criteria.chosen).flat().length + (criteria.quick?.length ?? 0)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{say('title')}</h1>
        <span className={styles.quiet} role="status">
          <SelectedCount selection={selection} count={pages.count}>
            {pages.firstPage.data && say('found', { count: pages.count })}
          </SelectedCount>
        </span>
        <span className={styles.spring} />
        <SelectionActions
          selection={selection}
          count={pages.count}
          target={{ path: `search/pp/${searchProvider}`, query: parametersOf(criteria) }}
        >
          <span className={styles.toFacets}>
            <Button aria-expanded={showsFacets} onPress={() => setShowsFacets(!showsFacets)}>
              <SlidersHorizontal size={16} aria-hidden />
              {say('facets')}
              {chosenCount > 0 ? ` (${chosenCount})` : ''}
            </Button>
          </span>
          <select
            className={styles.order}
            aria-label={say('order')}
            value={sort === undefined ? '' : `${sort.by} ${sort.order}`}
            onChange={({ target: { value } }) => {
              const [by, order] = value.split(' ')
              const { sort: _, ...rest } = criteria
              look(by ? { ...rest, sort: { by, order: order === 'desc' ? 'desc' : 'asc' } } : rest)
            }}
          >
            {Object.entries(orders).map(([word, value]) => (
              <option key={word} value={value}>
                {say(word as keyof typeof orders)}
              </option>
            ))}
          </select>
          <ViewMenu
            documents={pages.firstPage.data?.entries}
            view={view}
            onChange={(changes) => {
              keep(changes)
              const { layout } = changes
              if (layout !== undefined) void navigate({ search: (before) => ({ ...before, layout }), replace: true })
            }}
          />
          <SaveSearch kept={{ criteria }} savedId={address.saved} />
        </SelectionActions>
      </header>
      <aside className={styles.facets} data-shown={showsFacets} aria-label={say('facets')}>
        <div className={styles.chosen}>
          <h2>{say('facets')}</h2>
          {chosenCount > 0 ? (
            <Button look="quiet" onPress={() => look({ ...withoutQuick(criteria), chosen: {} })}>
              {say('clear')}
            </Button>
          ) : null}
        </div>
        {below === undefined ? null : (
          <p className={styles.below}>
            {say('below', { folder: below })}
            <Button
              look="quiet"
              aria-label={say('everywhere', { folder: below })}
              onPress={() => {
                const { below: _, ...everywhere } = criteria
                look(everywhere)
              }}
            >
              <X size={14} aria-hidden />
            </Button>
          </p>
        )}
        <QuickFilters criteria={criteria} onChange={look} />
        <FacetPanel
          aggregations={pages.firstPage.data?.aggregations}
          chosen={criteria.chosen}
          onChoose={(chosen) => look({ ...criteria, chosen })}
        />
        <SavedSearches />
        <p>
          <ExpertLink criteria={criteria} />
        </p>
      </aside>
      <div className={styles.results}>
        <DocumentListing
          label={say('results')}
          pages={pages}
          view={view}
          selected={selection.selected}
          onSelect={selection.select}
          onOpen={({ path }) => void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })}
          below={sayBelow}
          empty={
            <Message icon={SearchX} title={say('nothing')}>
              <p>{say('nothingHint')}</p>
            </Message>
          }
        />
      </div>
    </div>
  )
}

function withoutQuick({ quick: _, ...rest }: Criteria): Criteria {
  return rest
}

interface QuickFiltersProps {
  readonly criteria: Criteria
  onChange(criteria: Criteria): void
}

/** One press each, before anything is counted. */
function QuickFilters({ criteria, onChange }: QuickFiltersProps) {
  const say = useSearchWords()
  const { quick = [] } = criteria
  return (
    <ToggleButtonGroup
      className={styles.quick ?? ''}
      aria-label={say('quick')}
      selectionMode="multiple"
      selectedKeys={quick}
      onSelectionChange={(keys) => {
        const next = quickFilters.filter((name) => keys.has(name))
        onChange(next.length === 0 ? withoutQuick(criteria) : { ...criteria, quick: next })
      }}
    >
      {quickFilters.map((name) => (
        <ToggleButton key={name} id={name} className={styles.quickOne ?? ''}>
          {say(name)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** Leads to the same search as a query, to be written on. */
function ExpertLink({ criteria: { words, below } }: { readonly criteria: Criteria }) {
  const say = useSearchWords()
  const conditions = [
    ...(words === undefined ? [] : [`ecm:fulltext = ${quote(words)}`]),
    ...(below === undefined ? [] : [`ecm:path STARTSWITH ${quote(below)}`]),
    'ecm:isVersion = 0 AND ecm:isTrashed = 0',
  ]
  return (
    <Link to="/search" search={{ nxql: `SELECT * FROM Document WHERE ${conditions.join(' AND ')}` }}>
      {say('asQuery')}
    </Link>
  )
}
