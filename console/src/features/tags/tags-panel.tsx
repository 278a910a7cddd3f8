import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Tag, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { runOperation, runOperationAlone, useDocumentChange } from '../../api/changes.ts'
import { documentKeys } from '../../api/documents.ts'
import { type Document, hasFacet } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { TagLink } from './tag-chips.tsx'
import styles from './tags.module.css'
import { useTagWords } from './words.ts'

/** The tags of a document, and a field to add one. */
export function TagsPanel({ document }: { readonly document: Document }) {
  const say = useTagWords()
  const [mistake, setMistake] = useState<string>()
  const add = useDocumentChange((tag: string) => runOperation('Services.TagDocument', [document.uid], { tags: [tag] }))
  const remove = useDocumentChange((tag: string) => runOperation('Services.UntagDocument', [document.uid], { tags: [tag] }))
  if (!hasFacet(document, 'NXTag') || document.isProxy || document.isTrashed) return null
  const tags = document.contextParameters?.tags ?? []
  const onError = ({ message }: Error) => setMistake(message)
  const removeTag = (tag: string) =>
    remove.mutate(tag, {
      onSuccess: () =>
        tell({
          text: say('removed', { tag }),
          action: { label: say('undo'), run: () => add.mutate(tag, { onError }) },
        }),
      onError,
    })
  return (
    <Panel title={say('tags')}>
      {tags.length === 0 ? null : (
        <ul className={styles.chips}>
          {tags.map((tag) => (
            <li key={tag} className={styles.own}>
              <TagLink tag={tag} />
              <Button look="quiet" aria-label={say('remove', { tag })} onPress={() => removeTag(tag)}>
                <X size={14} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TagField
        tags={tags}
        mistake={mistake}
        onType={() => setMistake(undefined)}
        onAdd={(tag) => add.mutate(tag, { onError })}
      />
    </Panel>
  )
}

interface TagFieldProps {
  readonly tags: readonly string[]
  readonly mistake: string | undefined
  onType(): void
  onAdd(tag: string): void
}

interface SuggestedTag {
  readonly id: string
  readonly displayLabel: string
}

/** Suggests tags that others use, so that not everybody makes up their own. */
function TagField({ tags, mistake, onType, onAdd }: TagFieldProps) {
  const say = useTagWords()
  const [text, setText] = useState('')
  const term = useDeferredValue(text.trim())
  const { data = [] } = useQuery({
    queryKey: [...documentKeys.all, 'tags', term],
    // Without a beginning, the first of all that there are.
    queryFn: () => runOperationAlone<readonly SuggestedTag[]>('Tag.Suggestion', { searchTerm: term === '' ? '%' : term }),
    // A list that empties while one types is one in which nothing can be hit.
    placeholderData: keepPreviousData,
  })
  const suggestions = data
    .filter(({ id }) => !tags.includes(id))
    .map(({ id, displayLabel }) => ({ id, label: displayLabel, icon: Tag }))
  const take = (tag: string) => {
    onAdd(tag)
    setText('')
  }
  return (
    <SuggestField
      label={say('add')}
      isLabelHidden
      placeholder={say('add')}
      text={text}
      onText={(next) => {
        setText(next)
        onType()
      }}
      suggestions={suggestions}
      onChoose={take}
      onEnter={take}
      mistake={mistake}
      longest={250}
      opensAtOnce
    />
  )
}
