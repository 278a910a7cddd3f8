import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { namedQuery } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import { SuggestField } from '../../ui/suggest-field.tsx'
import styles from './document-field.module.css'
import { DocumentIcon, iconOf } from './document-icon.tsx'
import { placeOf } from './place-of.ts'
import { useDocumentFieldWords } from './words.ts'

type Chosen = Pick<Document, 'uid' | 'title' | 'path' | 'type'> & Partial<Document>

export interface DocumentFieldProps {
  readonly label: string
  readonly chosen: Chosen | undefined
  /** Which documents can be chosen, as a condition of a query. */
  readonly condition?: string
  readonly mistake?: string
  readonly autoFocus?: boolean
  onChoose(document: Document): void
  /** Where it can be none as well. */
  onClear?(): void
}

export const onlyFolders = "ecm:mixinType = 'Folderish'"

/** A document that is found by its title. What is chosen is shown with where it lies. */
export function DocumentField({ label, chosen, condition, mistake, autoFocus = false, onChoose, onClear }: DocumentFieldProps) {
  const say = useDocumentFieldWords()
  const [isChanged, setChanged] = useState(false)
  const [text, setText] = useState('')
  const term = useDeferredValue(text)
  const isAsking = chosen === undefined || isChanged
  const { data, error } = useQuery({ ...namedQuery(term, condition), enabled: isAsking, placeholderData: keepPreviousData })
  const found = data?.entries ?? []
  if (!isAsking) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: what is named here is shown, and only the button is a control
      <div className={fieldStyles.field} role="group" aria-label={label}>
        <span className={fieldStyles.label}>{label}</span>
        <div className={styles.chosen}>
          <DocumentIcon document={chosen} />
          <span className={styles.title}>
            {titleOf(chosen)}
            <small>{placeOf(chosen)}</small>
          </span>
          <Button look="quiet" onPress={() => setChanged(true)}>
            {say('change')}
          </Button>
          {onClear === undefined ? null : (
            <Button look="quiet" onPress={onClear}>
              {say('clear')}
            </Button>
          )}
        </div>
        {mistake === undefined ? null : (
          <span className={fieldStyles.mistake} role="alert">
            {mistake}
          </span>
        )}
      </div>
    )
  }
  return (
    <SuggestField
      label={label}
      placeholder={say('typeTitle')}
      text={text}
      onText={setText}
      suggestions={found.map((document) => ({
        id: document.uid,
        label: titleOf(document),
        hint: placeOf(document),
        icon: iconOf(document),
      }))}
      onChoose={(id) => {
        const document = found.find(({ uid }) => uid === id)
        if (document === undefined) return
        setChanged(false)
        setText('')
        onChoose(document)
      }}
      mistake={mistake ?? error?.message}
      longest={200}
      autoFocus={autoFocus || isChanged}
      opensAtOnce
    />
  )
}
