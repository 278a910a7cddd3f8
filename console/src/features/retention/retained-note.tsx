import { Archive, Scale } from 'lucide-react'
import { isIndefinite } from '../../api/retention.ts'
import { type Document, isFolder } from '../../api/types.ts'
import { Note } from '../../ui/note.tsx'
import { useFormats } from '../../words/formats.ts'
import { DetachButton } from './detach-button.tsx'
import { useRetentionWords } from './words.ts'

/** Says of a document that it is kept: there is nothing to remove it with. A folder has no panel that would say more. */
export function RetainedNote({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const { moment } = useFormats()
  const { isUnderRetentionOrLegalHold, hasLegalHold, retainUntil, contextParameters } = document
  if (!isUnderRetentionOrLegalHold) return null
  const isKnown = retainUntil !== null && !isIndefinite(retainUntil)
  const kept = isKnown ? say('keptNote', { date: moment(retainUntil) }) : say('keptIndefinitely')
  return (
    <Note icon={hasLegalHold ? Scale : Archive} title={hasLegalHold ? say('holdNote') : kept} hint={say('keptHint')}>
      {isFolder(document) && contextParameters?.retention?.mayDetach ? <DetachButton document={document} /> : undefined}
    </Note>
  )
}
