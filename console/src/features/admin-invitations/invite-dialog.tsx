import { type FormEvent, useState } from 'react'
import { invite } from '../../api/administration/invitations.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { GroupField } from '../admin-groups/group-field.tsx'
import styles from '../administration/detail.module.css'
import { useAdministrationChange } from '../administration/use-change.ts'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useInvitationWords } from './words.ts'

export interface InviteDialogProps {
  readonly isOpen: boolean
  onClose(): void
}

/** Asks somebody in by mail. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const say = useInvitationWords()
  return (
    <Dialog title={say('invite')} isOpen={isOpen} onClose={onClose}>
      <InviteForm onClose={onClose} />
    </Dialog>
  )
}

const fields = ['email', 'firstName', 'lastName', 'userName', 'comment'] as const

function InviteForm({ onClose }: Pick<InviteDialogProps, 'onClose'>) {
  const say = useInvitationWords()
  const [texts, setTexts] = useState({ email: '', firstName: '', lastName: '', userName: '', comment: '' })
  const [groups, setGroups] = useState<readonly string[]>([])
  const send = useAdministrationChange(invite)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { userName, email, ...rest } = texts
    const invited = { ...rest, email: email.trim(), username: userName.trim() || email.trim(), groups }
    send.mutate(invited, {
      onSuccess: () => {
        tell({ text: say('sent', { name: invited.username }) })
        onClose()
      },
    })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={groups.length > 0 || Object.values(texts).some((text) => text !== '')} />
      {fields.map((field) => (
        <TextField
          key={field}
          label={say(field)}
          value={texts[field]}
          onChange={(text) => setTexts({ ...texts, [field]: text })}
          maxLength={1_000}
          {...(field === 'email' && { type: 'email', isRequired: true, autoFocus: true })}
          {...(field === 'comment' && { lines: 'several' as const })}
        />
      ))}
      <GroupField label={say('groups')} values={groups} onChange={setGroups} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={texts.email.trim() === ''} isPending={send.isPending}>
          {say('send')}
        </Button>
      </DialogActions>
    </form>
  )
}
