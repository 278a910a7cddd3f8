import { type FormEvent, useState } from 'react'
import type { Vocabulary, VocabularyEntry } from '../../api/administration/vocabularies.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useLanguage } from '../../words/words.ts'
import detailStyles from '../administration/detail.module.css'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { labelOf } from './entry-tree.ts'
import styles from './vocabularies.module.css'
import { useVocabularyWords } from './words.ts'

type Properties = { readonly [field: string]: unknown }

export interface EntryFormProps {
  readonly vocabulary: Vocabulary
  /** Those that it can stand below. */
  readonly parents: readonly VocabularyEntry[]
  /** What there is; absent for a new one. */
  readonly before?: VocabularyEntry
  /** What a label that is a key stands for. */
  readonly shownAs?: string
  readonly isPending: boolean
  /** Only what was changed; once it is stored, what is there is shown again. */
  onSubmit(changed: Properties, showStored: () => void): void
  onCancel?(): void
}

const typed = new Set(['string', 'long', 'double', 'date'])

export function EntryForm({ vocabulary, parents, before, shownAs, isPending, onSubmit, onCancel }: EntryFormProps) {
  const say = useVocabularyWords()
  const language = useLanguage()
  const [changed, setChanged] = useState<Properties>({})
  const { idField, fields, isEditable, parent } = vocabulary
  const isNew = before === undefined
  const textIn = (field: string) => changed[field] ?? before?.properties[field] ?? ''
  const set = (field: string) => (value: unknown) => setChanged({ ...changed, [field]: value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(changed, () => setChanged({}))
  }
  const isReady = isNew ? String(textIn(idField)).trim() !== '' : Object.keys(changed).length > 0
  return (
    <form className={detailStyles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={Object.keys(changed).length > 0} />
      {isNew ? (
        <TextField
          label={say('id')}
          hint={say('idHint')}
          value={String(textIn(idField))}
          onChange={set(idField)}
          maxLength={200}
          isRequired
          autoFocus
        />
      ) : null}
      {fields
        .filter(({ name, type }) => typed.has(type) && !['obsolete', 'ordering', 'parent', idField].includes(name))
        .map(({ name }) => (
          <TextField
            key={name}
            label={fieldName(name)}
            value={String(textIn(name))}
            onChange={set(name)}
            maxLength={1_000}
            isReadOnly={!isEditable}
            {...(name === 'label' && shownAs !== undefined && { hint: say('shownAs', { text: shownAs }) })}
          />
        ))}
      {parent !== null && isEditable ? (
        <Choice
          label={say('parent')}
          value={String(textIn('parent'))}
          options={[
            { value: '', label: say('noParent') },
            ...parents
              .filter(({ id }) => id !== before?.id)
              .map((one) => ({ value: one.id, label: labelOf(one, language) }))
              .sort((one, other) => one.label.localeCompare(other.label, language)),
          ]}
          onChange={(id) => set('parent')(id)}
        />
      ) : null}
      {fields.some(({ name }) => name === 'obsolete') && isEditable ? (
        <label className={styles.flag}>
          <input
            type="checkbox"
            checked={Number(textIn('obsolete')) > 0}
            onChange={({ target }) => set('obsolete')(target.checked ? 1 : 0)}
          />
          <span>
            {say('obsolete')}
            <small>{say('obsoleteHint')}</small>
          </span>
        </label>
      ) : null}
      {isEditable ? (
        <DialogActions>
          {onCancel === undefined ? null : <Button onPress={onCancel}>{say('cancel')}</Button>}
          <Button look="main" type="submit" isDisabled={!isReady} isPending={isPending}>
            {say(isNew ? 'create' : 'save')}
          </Button>
        </DialogActions>
      ) : null}
    </form>
  )

  function fieldName(name: string): string {
    if (name === 'label') return say('label')
    return name.startsWith('label_') ? say('labelIn', { language: name.slice('label_'.length) }) : name
  }
}
