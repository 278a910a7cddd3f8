import { MailPlus, MailQuestion } from 'lucide-react'
import { useState } from 'react'
import { decideInvitation, invitationStates, invitationsIn } from '../../api/administration/invitations.ts'
import { removeDocument } from '../../api/changes.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { ConfirmedChange } from '../administration/confirmed-change.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { ScreenPage } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { PersonName } from '../people/person.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { useInvitationWords } from './words.ts'

/** Who was invited, and what became of it. */
export function Screen() {
  const say = useInvitationWords()
  const columns = useInvitationColumns()
  const { search, change } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const options = [{ value: '', label: say('all') }, ...invitationStates.map((state) => ({ value: state, label: say(state) }))]
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <Choice
            label={say('state')}
            value={search.state ?? ''}
            options={options}
            onChange={(state) => change({ state: state || undefined })}
          />
          <Button look="main" onPress={() => setOpen(true)}>
            <MailPlus size={16} aria-hidden />
            {say('invite')}
          </Button>
        </>
      }
    >
      <EntityList
        label={say('title')}
        pages={invitationsIn(search.state)}
        columns={columns}
        keyOf={({ uid }) => uid}
        counted={(count) => say('count', { count })}
        empty={
          <Message icon={MailQuestion} title={say('none')}>
            <p>{say('noneHint')}</p>
          </Message>
        }
      />
      <InviteDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </ScreenPage>
  )
}

function useInvitationColumns(): readonly Column<Document>[] {
  const say = useInvitationWords()
  const { date } = useFormats()
  return [
    { id: 'who', label: say('who'), width: 'minmax(80px, 2fr)', render: ({ title }) => title },
    {
      id: 'email',
      label: say('email'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: (row) => propertyOf(row, 'userinfo:email'),
    },
    {
      id: 'state',
      label: say('state'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: ({ state }) => say(invitationStates.find((one) => one === state) ?? 'created'),
    },
    {
      id: 'by',
      label: say('by'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: (row) => <PersonName reference={propertyOf(row, 'registration:originatingUser') ?? ''} />,
    },
    {
      id: 'expires',
      label: say('expires'),
      width: '110px',
      isMinor: true,
      render: (row) => date(propertyOf(row, 'invitation:expires')),
    },
    { id: 'actions', label: say('actions'), width: 'minmax(190px, auto)', render: (row) => <Decisions invitation={row} /> },
  ]
}

/** What can still be decided about an invitation. */
function Decisions({ invitation: { uid, title, state } }: { readonly invitation: Document }) {
  const say = useInvitationWords()
  const decide = useAdministrationChange((decision: 'accept' | 'reject' | 'resend') => decideInvitation(uid, decision))
  const button = (action: 'accept' | 'reject' | 'resend') => (
    <Button
      look="quiet"
      aria-label={say('of', { action: say(action), name: title })}
      isPending={decide.isPending && decide.variables === action}
      onPress={() =>
        decide.mutate(action, {
          onSuccess: () => tell({ text: action === 'resend' ? say('sent', { name: title }) : say('done') }),
        })
      }
    >
      {say(action)}
    </Button>
  )
  if (state === 'created')
    return (
      <>
        {button('accept')}
        {button('reject')}
      </>
    )
  if (state !== 'accepted') return null
  return (
    <>
      {button('resend')}
      <ConfirmedChange
        words={{
          label: say('revoke'),
          name: say('of', { action: say('revoke'), name: title }),
          title: say('revokeTitle', { name: title }),
          sentence: say('revokeSentence'),
          cancel: say('cancel'),
          done: say('done'),
        }}
        run={() => removeDocument(uid)}
      />
    </>
  )
}
