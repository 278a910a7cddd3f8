import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { meQuery } from '../../api/documents.ts'
import { Note } from '../../ui/note.tsx'
import { useHomeWords } from './words.ts'

/** Tells whoever still has the password that every server begins with to choose one. */
export function DefaultPasswordNote() {
  const say = useHomeWords()
  const { data: me } = useQuery(meQuery)
  const { hasDefaultPassword } = me?.contextParameters ?? {}
  if (hasDefaultPassword !== true) return null
  return (
    <Note icon={KeyRound} title={say('defaultPassword')} hint={say('defaultPasswordHint')}>
      <Link to="/profile">{say('choosePassword')}</Link>
    </Note>
  )
}
