import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useId, useState } from 'react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import fieldStyles from '../../ui/field.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useAceWords } from './ace-words.ts'
import { usePermissionWords } from './words.ts'

export interface ShareDialogProps {
  readonly document: Pick<Document, 'uid'>
  readonly permissions: readonly string[]
  readonly isOpen: boolean
  onClose(): void
}

/** Gives a person or a group a permission, for good or for a while. */
export function ShareDialog({ document, permissions, isOpen, onClose }: ShareDialogProps) {
  const say = usePermissionWords()
  return (
    <Dialog title={say('add')} isOpen={isOpen} onClose={onClose}>
      <ShareForm document={document} permissions={permissions} onClose={onClose} />
    </Dialog>
  )
}

function ShareForm({ document, permissions, onClose }: Omit<ShareDialogProps, 'isOpen'>) {
  const say = usePermissionWords()
  const { permissionIn } = useAceWords()
  const [who, setWho] = useState('')
  const [permission, setPermission] = useState(permissions[0] ?? 'Read')
  const [until, setUntil] = useState('')
  const [notify, setNotify] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const { data: found = [] } = useSuggested(who)
  const give = useDocumentChange((params: { readonly [name: string]: unknown }) =>
    runOperation('Document.AddPermission', [document.uid], params),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = who.trim()
    // An address of which no account is known: `found` are those whose names or addresses begin so.
    const isOutsider = name.includes('@') && !found.some(({ id }) => id === name)
    if (isOutsider && until === '') return setMistake(say('outsiderNeedsEnd'))
    give.mutate(
      {
        ...(isOutsider ? { email: name } : { username: name }),
        permission,
        notify,
        // The end of that day where one is, as it is shown.
        ...(until !== '' && { end: new Date(`${until}T23:59:59`).toISOString() }),
      },
      {
        onSuccess: () => {
          tell({ text: say('given', { who: who.trim() }) })
          onClose()
        },
        onError: ({ message }) => setMistake(message),
      },
    )
  }
  const options = permissions.map((value) => ({ value, label: permissionIn(value) }))
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
      <LeaveQuestion isAsked={who !== '' || until !== ''} />
      <PersonField label={say('who')} hint={say('whoHint')} value={who} found={found} onChange={setWho} mistake={mistake} />
      <Choice label={say('what')} value={permission} options={options} onChange={setPermission} />
      <TextField type="date" label={say('untilWhen')} value={until} onChange={setUntil} />
      <label>
        <input type="checkbox" checked={notify} onChange={({ target }) => setNotify(target.checked)} /> {say('notify')}
      </label>
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={who.trim() === ''} isPending={give.isPending}>
          {say('give')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface Suggested {
  readonly id: string
  readonly displayLabel: string
}

function useSuggested(typed: string) {
  const term = useDeferredValue(typed.trim())
  return useQuery({
    queryKey: ['people', 'suggested', term],
    queryFn: ({ signal }) =>
      call<readonly Suggested[]>('automation/UserGroup.Suggestion', {
        method: 'POST',
        json: { params: { searchTerm: term, searchType: 'USER_GROUP_TYPE', userSuggestionMaxSearchResults: 10 }, context: {} },
        signal,
      }),
    enabled: term.length > 1,
  })
}

interface PersonFieldProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly found: readonly Suggested[]
  readonly mistake: string | undefined
  onChange(value: string): void
}

/** Suggests people and groups as one types. */
function PersonField({ label, hint, value, found, mistake, onChange }: PersonFieldProps) {
  const id = useId()
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        list={`${id}-list`}
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the dialog asks for this first
        autoFocus
      />
      <datalist id={`${id}-list`}>
        {found.map((one) => (
          <option key={one.id} value={one.id}>
            {one.displayLabel}
          </option>
        ))}
      </datalist>
      <small id={`${id}-hint`}>{hint}</small>
      {mistake === undefined ? null : (
        <span className={fieldStyles.mistake} role="alert">
          {mistake}
        </span>
      )}
    </div>
  )
}
