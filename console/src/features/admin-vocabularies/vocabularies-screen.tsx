import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookMarked } from 'lucide-react'
import { pagesOfWhole } from '../../api/administration/entity-pages.ts'
import { listVocabularies, type Vocabulary, vocabulariesQuery } from '../../api/administration/vocabularies.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { EntityList } from '../administration/entity-list.tsx'
import { ScreenPage } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { VocabularyPage } from './vocabulary-page.tsx'
import { useVocabularyWords } from './words.ts'

const addressOf = (name: string) => `vocabularies/${encodeURIComponent(name)}`

/** All vocabularies, or the entries of one. */
export function Screen() {
  const { rest } = usePlace()
  return rest === '' ? <VocabularyList /> : <Named key={rest} name={rest} />
}

function Named({ name }: { readonly name: string }) {
  const say = useVocabularyWords()
  const vocabularies = useQuery(vocabulariesQuery)
  return (
    <Shown query={vocabularies} waiting={<Skeleton />}>
      {(all) => show(all)}
    </Shown>
  )

  function show(all: readonly Vocabulary[]) {
    const found = all.find((vocabulary) => vocabulary.name === name)
    if (found !== undefined) return <VocabularyPage vocabulary={found} />
    return (
      <Message icon={BookMarked} title={say('missing', { name })} isPage>
        <Link to="/admin/$" params={{ _splat: 'vocabularies' }}>
          {say('all')}
        </Link>
      </Message>
    )
  }
}

function VocabularyList() {
  const say = useVocabularyWords()
  const columns = useVocabularyColumns()
  const { goTo } = usePlace()
  return (
    <ScreenPage title={say('title')} hint={say('hint')}>
      <EntityList
        label={say('title')}
        pages={pagesOfWhole(['vocabulary-list'], listVocabularies)}
        columns={columns}
        keyOf={({ name }) => name}
        onOpen={({ name }) => void goTo(addressOf(name))}
        counted={(count) => say('count', { count })}
        empty={<Message icon={BookMarked} title={say('none')} />}
      />
    </ScreenPage>
  )
}

function useVocabularyColumns(): readonly Column<Vocabulary>[] {
  const say = useVocabularyWords()
  const { number } = useFormats()
  return [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      render: ({ name }) => (
        <Link to="/admin/$" params={{ _splat: addressOf(name) }} tabIndex={-1}>
          {name}
        </Link>
      ),
    },
    {
      id: 'kind',
      label: say('kind'),
      width: 'minmax(0, 1fr)',
      render: ({ name, parent, isEditable }) => {
        const kind = parent === null ? say('flat') : parent === name ? say('tree') : say('below', { parent })
        return isEditable ? kind : `${kind} · ${say('fixed')}`
      },
    },
    { id: 'count', label: say('entries'), width: '96px', render: ({ count }) => number(count) },
  ]
}
