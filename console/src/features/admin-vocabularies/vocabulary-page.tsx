import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Download, ListTree, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  createEntry,
  entriesCsvAddress,
  mostEntries,
  orderEntries,
  type Vocabulary,
  type VocabularyEntry,
  vocabularyEntriesQuery,
} from '../../api/administration/vocabularies.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useLanguage } from '../../words/words.ts'
import listStyles from '../administration/administration.module.css'
import { Beside, ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { EntryForm } from './entry-form.tsx'
import { type EntryNode, entryTree, findNodes } from './entry-tree.ts'
import { EntryTree } from './entry-tree-view.tsx'
import { ImportEntries } from './import-entries.tsx'
import styles from './vocabularies.module.css'
import { useVocabularyWords } from './words.ts'

/** The entries of a vocabulary, and beside them the one that is looked at. */
export function VocabularyPage({ vocabulary }: { readonly vocabulary: Vocabulary }) {
  const say = useVocabularyWords()
  const language = useLanguage()
  const { screen, rest, search, goTo } = usePlace()
  const { name, parent, isEditable } = vocabulary
  const entries = useQuery(vocabularyEntriesQuery(name, language))
  const isBelow = parent !== null && parent !== name
  const above = useQuery({ ...vocabularyEntriesQuery(parent ?? '', language), enabled: isBelow })
  const nodes = useMemo(
    () => entryTree(vocabulary, entries.data ?? [], isBelow ? (above.data ?? []) : [], language),
    [vocabulary, entries.data, above.data, isBelow, language],
  )
  const order = useOrder(vocabulary)
  const parents = (parent === null ? [] : isBelow ? above.data : entries.data) ?? []
  const { show } = search
  return (
    <ScreenPage
      title={name}
      {...(!isEditable && { hint: say('fixedHint') })}
      tools={
        <>
          <SearchField label={say('search')} />
          <a className={styles.export} href={entriesCsvAddress(name)} download={`${name}.csv`}>
            <Download size={16} aria-hidden />
            {say('export')}
          </a>
          {isEditable ? <ImportEntries vocabulary={vocabulary} /> : null}
          {isEditable ? <NewEntry vocabulary={vocabulary} parents={parents} /> : null}
        </>
      }
    >
      <Beside
        back={{ label: say('close'), search: { ...search, show: undefined } }}
        list={
          <Shown query={entries} waiting={<Skeleton />}>
            {(all) => (
              <div className={listStyles.list}>
                <p className={listStyles.count} role="status">
                  <Link className={styles.all} to="/admin/$" params={{ _splat: 'vocabularies' }}>
                    <ArrowLeft size={16} aria-hidden />
                    {say('all')}
                  </Link>
                  {say('entryCount', { count: vocabulary.count })}
                  {vocabulary.count > mostEntries ? ` · ${say('first', { count: mostEntries })}` : null}
                </p>
                <Entries
                  vocabulary={vocabulary}
                  nodes={search.q === undefined ? nodes : findNodes(nodes, search.q)}
                  isEmpty={all.length === 0}
                  {...(isEditable && search.q === undefined && { onOrder: order })}
                  onOpen={(id) => void goTo(`${screen}/${encodeURIComponent(rest)}`, { ...search, show: id })}
                />
              </div>
            )}
          </Shown>
        }
        detail={
          show === undefined || show === '' ? undefined : (
            <EntryDetail key={show} vocabulary={vocabulary} id={show} nodes={nodes} parents={parents} onOrder={order} />
          )
        }
      />
    </ScreenPage>
  )
}

interface EntriesProps {
  readonly vocabulary: Vocabulary
  readonly nodes: readonly EntryNode[]
  readonly isEmpty: boolean
  onOrder?(ids: readonly string[]): void
  onOpen(id: string): void
}

function Entries({ vocabulary, nodes, isEmpty, onOrder, onOpen }: EntriesProps) {
  const say = useVocabularyWords()
  const { search } = usePlace()
  if (nodes.length === 0)
    return (
      <Message icon={ListTree} title={say(isEmpty ? 'noEntries' : 'nothingFound')}>
        {isEmpty && vocabulary.isEditable ? <p>{say('noEntriesHint')}</p> : null}
      </Message>
    )
  return (
    <EntryTree
      label={vocabulary.name}
      nodes={nodes}
      open={search.show}
      onOpen={onOpen}
      {...(onOrder !== undefined && { onOrder })}
    />
  )
}

/** Stores an order of neighbours, which is seen at once. */
function useOrder({ name }: Vocabulary): (ids: readonly string[]) => void {
  const say = useVocabularyWords()
  const language = useLanguage()
  const queries = useQueryClient()
  const order = useAdministrationChange(orderEntries)
  return (ids) => {
    const { queryKey } = vocabularyEntriesQuery(name, language)
    const places = new Map(ids.map((id, index) => [id, index]))
    queries.setQueryData<readonly VocabularyEntry[]>(queryKey, (entries = []) => {
      const moving = entries
        .filter(({ id }) => places.has(id))
        .sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
      return entries.map((entry) => (places.has(entry.id) ? (moving.shift() ?? entry) : entry))
    })
    order.mutate({ directory: name, ids }, { onSuccess: () => tell({ text: say('ordered') }) })
  }
}

function NewEntry({ vocabulary, parents }: { readonly vocabulary: Vocabulary; readonly parents: readonly VocabularyEntry[] }) {
  const say = useVocabularyWords()
  const { screen, rest, search, goTo } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const create = useAdministrationChange(createEntry)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('create')}
      </Button>
      <Dialog title={say('create')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <EntryForm
          vocabulary={vocabulary}
          parents={parents}
          isPending={create.isPending}
          onCancel={() => setOpen(false)}
          onSubmit={(properties) => {
            const id = String(properties[vocabulary.idField] ?? '').trim()
            create.mutate(
              { directory: vocabulary.name, id, properties: { ...properties, [vocabulary.idField]: id } },
              {
                onSuccess: (entry) => {
                  // At once: who is led to it is not asked about a form that is done.
                  flushSync(() => setOpen(false))
                  tell({ text: say('made', { name: entry.id }) })
                  void goTo(`${screen}/${encodeURIComponent(rest)}`, { ...search, show: entry.id, q: undefined })
                },
              },
            )
          }}
        />
      </Dialog>
    </>
  )
}
