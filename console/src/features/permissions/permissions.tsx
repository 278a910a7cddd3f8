import { useQuery } from '@tanstack/react-query'
import { Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import type { components } from '../../api/entities.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { Shown } from '../problems/shown.tsx'
import styles from './permissions.module.css'
import { ShareDialog } from './share-dialog.tsx'
import { usePermissionWords } from './words.ts'

type Ace = components['schemas']['ShownAce']

/** Who may do what with a document: given here, and what reaches it from above. */
export function Permissions({ document }: { readonly document: Document }) {
  const say = usePermissionWords()
  const [isSharing, setSharing] = useState(false)
  const mayChange = document.contextParameters?.permissions?.includes('WriteSecurity') ?? false
  const query = useQuery({
    queryKey: [...documentKeys.all, 'permissions', document.uid],
    queryFn: ({ signal }) =>
      call<Document>(`id/${document.uid}`, { signal, headers: { 'enrichers.document': 'acls,userVisiblePermissions' } }),
  })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ contextParameters: { acls = [], userVisiblePermissions = [] } = {} }) => {
        const here = acls.filter(({ name }) => name !== 'inherited').flatMap(({ aces }) => aces)
        const above = acls.filter(({ name }) => name === 'inherited').flatMap(({ aces }) => aces)
        const isBlocked = here.some(isBlock)
        return (
          <div className={styles.page}>
            <section aria-labelledby="given-here">
              <div className={styles.head}>
                <h2 id="given-here">{say('here')}</h2>
                {mayChange ? (
                  <Button onPress={() => setSharing(true)}>
                    <UserPlus size={16} aria-hidden />
                    {say('add')}
                  </Button>
                ) : null}
              </div>
              {here.length === 0 ? <p>{say('noneHere')}</p> : null}
              <ul className={styles.list}>
                {here
                  .filter((ace) => !isBlock(ace))
                  .map((ace) => (
                    <Line key={ace.id} ace={ace} documentId={mayChange ? document.uid : undefined} />
                  ))}
              </ul>
            </section>
            <section aria-labelledby="given-above">
              <h2 id="given-above">{say('inherited')}</h2>
              {isBlocked ? <p>{say('blocked')}</p> : null}
              <ul className={styles.list}>
                {above.map((ace) => (
                  <Line key={ace.id} ace={ace} documentId={undefined} />
                ))}
              </ul>
            </section>
            <ShareDialog
              document={document}
              permissions={userVisiblePermissions}
              isOpen={isSharing}
              onClose={() => setSharing(false)}
            />
          </div>
        )
      }}
    </Shown>
  )
}

const isBlock = ({ username, permission, granted }: Ace) => username === 'Everyone' && permission === 'Everything' && !granted

const wellKnown = ['Read', 'ReadWrite', 'Write', 'Everything'] as const

/** In words, as somebody would ask: who, what, for how long. */
function Line({ ace, documentId }: { readonly ace: Ace; readonly documentId: string | undefined }) {
  const say = usePermissionWords()
  const { date } = useFormats()
  const who = String(ace.username)
  const remove = useDocumentChange((id: string) => runOperation('Document.RemovePermission', [id], { id: ace.id }))
  const known = wellKnown.find((one) => one === ace.permission)
  const may = !ace.granted
    ? say('denied', { permission: ace.permission })
    : known
      ? say(known)
      : say('other', { permission: ace.permission })
  const frame = [
    ...(ace.begin === null ? [] : [say('from', { date: date(ace.begin) })]),
    ...(ace.end === null ? [] : [say('until', { date: date(ace.end) })]),
    ...(ace.status === 'effective' ? [] : [say(ace.status)]),
    ...(ace.creator === null ? [] : [say('by', { who: String(ace.creator) })]),
  ]
  return (
    <li>
      <span>
        <strong>{who}</strong> {may}
        {frame.length === 0 ? null : <span className={styles.quiet}> ({frame.join(', ')})</span>}
      </span>
      {documentId === undefined ? null : (
        <Button
          look="quiet"
          aria-label={say('remove', { who })}
          onPress={() =>
            remove.mutate(documentId, {
              onSuccess: () => tell({ text: say('removed', { who }) }),
              onError: ({ message }) => tell({ kind: 'problem', text: message }),
            })
          }
        >
          <Trash2 size={16} aria-hidden />
        </Button>
      )}
    </li>
  )
}
