import { Link } from '@tanstack/react-router'
import type { PermissionHolder, PermissionPlace } from '../../api/administration/permission-report.ts'
import { useAceWords } from '../permissions/ace-words.ts'
import { usePermissionReportWords } from './words.ts'

/** Through which entry somebody has or lacks a permission, and where it stands. */
export function Reason({
  holder: { isAdministrator, reason },
  here,
}: {
  readonly holder: PermissionHolder
  readonly here: string
}) {
  const say = usePermissionReportWords()
  if (isAdministrator) return say('administrator')
  if (reason === null) return say('noEntry')
  const { ace, place } = reason
  return (
    <>
      <Entry ace={ace} /> {place === null ? null : place.uid === here ? say('here') : <PlaceOf place={place} />}
    </>
  )
}

function PlaceOf({ place }: { readonly place: PermissionPlace }) {
  const say = usePermissionReportWords()
  return (
    <Link to="/doc/$id" params={{ id: place.uid }} preload={false}>
      {say('at', { place: place.path === '/' ? '/' : place.title })}
    </Link>
  )
}

export interface EntryProps {
  readonly ace: { readonly username: string; readonly permission: string; readonly granted: boolean }
}

/** What an entry says. */
export function Entry({ ace }: EntryProps) {
  const say = usePermissionReportWords()
  const { may } = useAceWords()
  return say('entry', { name: ace.username === 'Everyone' ? say('everyone') : ace.username, may: may(ace) })
}
