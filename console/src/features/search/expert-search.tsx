import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Search, SearchX } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { vocabularyQuery } from '../../api/definitions.ts'
import { foundByQuery, searchPageSize } from '../../api/search.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { SelectedCount, SelectionActions, useLongSelection } from '../bulk/long-selection.tsx'
import { DocumentListing } from '../listing/document-listing.tsx'
import { useKeptView } from '../listing/kept-view.ts'
import { usePages } from '../listing/use-pages.ts'
import { ViewMenu } from '../listing/view-menu.tsx'
import { SaveSearch } from '../saved-searches/save-search.tsx'
import { type Completions, completionsAt } from './nxql-completion.ts'
import { useExplanation } from './nxql-words.ts'
import styles from './search.module.css'
import { longestQuery } from './search-address.ts'
import { useSearchWords } from './words.ts'

const route = getRouteApi('/search')

/** A search by a query, which is completed while one writes it, said in words, and refused with what is wrong in it. */
export function ExpertSearch({ nxql, savedId }: { readonly nxql: string; readonly savedId: string | undefined }) {
  const say = useSearchWords()
  const navigate = route.useNavigate()
  const [text, setText] = useState(nxql)
  const [view, keep] = useKeptView('results')
  const selection = useLongSelection()
  const pages = usePages({ pageSize: searchPageSize, page: (index) => foundByQuery(nxql, index) })
  const explanation = useExplanation(text)
  const run = () => void navigate({ search: { nxql: text.trim(), ...(savedId !== undefined && { saved: savedId }) } })
  return (
    <div className={styles.expert}>
      <header className={styles.head}>
        <h1>{say('expert')}</h1>
        <span className={styles.quiet} role="status">
          <SelectedCount selection={selection} count={pages.count}>
            {pages.firstPage.data && say('found', { count: pages.count })}
          </SelectedCount>
        </span>
        <span className={styles.spring} />
        <SelectionActions selection={selection} count={pages.count} target={{ path: 'search', query: { query: nxql } }}>
          <Link to="/search">{say('toForm')}</Link>
          <ViewMenu view={view} onChange={keep} />
          <SaveSearch kept={{ nxql }} savedId={savedId} />
        </SelectionActions>
      </header>
      <div className={styles.query}>
        <QueryField text={text} onText={setText} onRun={run} />
        <div className={styles.queryFoot}>
          <p className={styles.explained} role="status" aria-label={say('explained')}>
            {explanation === '' ? say('keysHint') : explanation}
          </p>
          <Button look="main" onPress={run}>
            <Search size={16} aria-hidden />
            {say('run')}
          </Button>
        </div>
      </div>
      <div className={styles.results}>
        <DocumentListing
          label={say('results')}
          pages={pages}
          view={view}
          selected={selection.selected}
          onSelect={selection.select}
          onOpen={({ path }) => void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })}
          empty={<Message icon={SearchX} title={say('nothing')} />}
        />
      </div>
    </div>
  )
}

interface QueryFieldProps {
  readonly text: string
  onText(text: string): void
  onRun(): void
}

const nothing: Completions = { from: 0, items: [] }

function QueryField({ text, onText, onRun }: QueryFieldProps) {
  const say = useSearchWords()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { data: vocabulary } = useQuery(vocabularyQuery)
  const [offered, setOffered] = useState(nothing)
  const [at, setAt] = useState(0)
  const look = () => {
    const { value = '', selectionStart = 0 } = field.current ?? {}
    setAt(0)
    setOffered(vocabulary === undefined ? nothing : completionsAt(value, selectionStart, vocabulary))
  }
  const close = () => setOffered(nothing)
  const take = (completion: string) => {
    const { current } = field
    if (current === null) return
    // Through the field itself, so that it can be undone there.
    current.focus()
    current.setSelectionRange(offered.from, current.selectionStart)
    document.execCommand(
      'insertText',
      false,
      completion.endsWith(' ') || completion.startsWith("'") ? completion : `${completion} `,
    )
    close()
  }
  const pressed = (event: KeyboardEvent) => {
    const count = offered.items.length
    const chosen = offered.items[at]
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      close()
      onRun()
    } else if (event.key === ' ' && event.ctrlKey) look()
    else if (count > 0 && event.key === 'ArrowDown') setAt((at + 1) % count)
    else if (count > 0 && event.key === 'ArrowUp') setAt((at + count - 1) % count)
    else if (chosen !== undefined && (event.key === 'Enter' || event.key === 'Tab')) take(chosen.text)
    else if (count > 0 && event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  const isOpen = offered.items.length > 0
  return (
    <>
      <textarea
        ref={field}
        aria-label={say('query')}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        rows={3}
        maxLength={longestQuery}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          onText(target.value)
          look()
        }}
        onKeyDown={pressed}
        onBlur={close}
      />
      {isOpen ? (
        <div className={styles.completions} id={id} role="listbox" aria-label={say('completions')}>
          {offered.items.map(({ text: completion, hint }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and has the keys
            <div
              key={completion}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault()
                take(completion)
              }}
            >
              {completion}
              <small>{hint}</small>
            </div>
          ))}
        </div>
      ) : null}
    </>
  )
}
