import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  changeEntry,
  deleteEntry,
  type Vocabulary,
  type VocabularyEntry,
  vocabularyEntryQuery,
} from '../../api/administration/vocabularies.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { EntryForm } from './entry-form.tsx'
import { type EntryNode, siblingsOf } from './entry-tree.ts'
import styles from './vocabularies.module.css'
import { useVocabularyWords } from './words.ts'

export interface EntryDetailProps {
  readonly vocabulary: Vocabulary
  readonly id: string
  readonly nodes: readonly EntryNode[]
  readonly parents: readonly VocabularyEntry[]
  onOrder(ids: readonly string[]): void
}

export function EntryDetail(props: EntryDetailProps) {
  return (
    <Shown query={useQuery(vocabularyEntryQuery(props.vocabulary.name, props.id))} waiting={<Skeleton />}>
      {(entry) => <Whole {...props} entry={entry} />}
    </Shown>
  )
}

function Whole({ vocabulary, id, nodes, parents, onOrder, entry }: EntryDetailProps & { readonly entry: VocabularyEntry }) {
  const say = useVocabularyWords()
  const { screen, rest, search, goTo } = usePlace()
  const change = useAdministrationChange(changeEntry)
  const siblings = siblingsOf(nodes, id)
  const label = siblings.find((node) => node.id === id)?.label ?? id
  const { name, isEditable, fields } = vocabulary
  const isKey = entry.properties['label'] !== undefined && entry.properties['label'] !== label
  return (
    <Detail title={label} id={id} badge={Number(entry.properties['obsolete'] ?? 0) > 0 ? say('obsolete') : undefined}>
      {isEditable && siblings.length > 1 && fields.some((field) => field.name === 'ordering') ? (
        <Place ids={siblings.map((node) => node.id)} id={id} onOrder={onOrder} />
      ) : null}
      <Panel
        title={say('entry')}
        actions={
          isEditable ? (
            <RemoveButton
              words={{
                remove: say('remove'),
                title: say('removeTitle', { name: label }),
                sentence: say('removeSentence'),
                cancel: say('cancel'),
                removed: say('removed', { name: label }),
              }}
              remove={() => deleteEntry(name, id)}
              leave={() => goTo(`${screen}/${encodeURIComponent(rest)}`, { ...search, show: undefined }, { ignoreBlocker: true })}
            />
          ) : null
        }
      >
        <EntryForm
          vocabulary={vocabulary}
          parents={parents}
          before={entry}
          {...(isKey && { shownAs: label })}
          isPending={change.isPending}
          onSubmit={(properties, showStored) =>
            change.mutate(
              { directory: name, id, properties },
              {
                onSuccess: () => {
                  showStored()
                  tell({ text: say('saved') })
                },
              },
            )
          }
        />
      </Panel>
    </Detail>
  )
}

interface PlaceProps {
  readonly ids: readonly string[]
  readonly id: string
  onOrder(ids: readonly string[]): void
}

/** Where it stands among its neighbours, for who does not drag. */
function Place({ ids, id, onOrder }: PlaceProps) {
  const say = useVocabularyWords()
  const at = ids.indexOf(id)
  const moveTo = (place: number) => onOrder(ids.toSpliced(at, 1).toSpliced(place, 0, id))
  return (
    <Panel title={say('order')}>
      <div className={styles.place}>
        <span>{say('orderHint', { place: at + 1, count: ids.length })}</span>
        <Button onPress={() => moveTo(at - 1)} isDisabled={at <= 0}>
          <ArrowUp size={16} aria-hidden />
          {say('up')}
        </Button>
        <Button onPress={() => moveTo(at + 1)} isDisabled={at === ids.length - 1}>
          <ArrowDown size={16} aria-hidden />
          {say('down')}
        </Button>
      </div>
    </Panel>
  )
}
