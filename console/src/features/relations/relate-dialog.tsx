import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { entriesQuery } from '../../api/definitions.ts'
import { quote } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useLanguage } from '../../words/words.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { Shown } from '../problems/shown.tsx'
import { useRelating } from './use-relations.ts'
import { useRelationWords } from './words.ts'

/** Asks what a document has to do with which other one. */
export function RelateDialog({ document, onClose }: { readonly document: Document; onClose(): void }) {
  const say = useRelationWords()
  const language = useLanguage()
  const predicates = useQuery(entriesQuery('predicates', { language }))
  const [chosen, choose] = useState<string>()
  const [other, setOther] = useState<Document>()
  const [mistake, setMistake] = useState<string>()
  const { add } = useRelating(document.uid)
  const predicate = chosen ?? predicates.data?.[0]?.value
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (other === undefined || predicate === undefined) return
    add.mutate(
      { predicate, outgoing: true, other },
      {
        onSuccess: () => {
          tell({ text: say('related', { title: titleOf(other) }) })
          onClose()
        },
        onError: ({ message }) => setMistake(message),
      },
    )
  }
  return (
    <Dialog title={say('relateTitle', { title: titleOf(document) })} isOpen onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
        <Shown query={predicates} waiting={<Skeleton />}>
          {(entries) => <Choice label={say('how')} value={predicate ?? ''} options={entries} onChange={choose} />}
        </Shown>
        <DocumentField
          label={say('to')}
          chosen={other}
          condition={`ecm:uuid != ${quote(document.uid)}`}
          onChoose={setOther}
          mistake={mistake}
        />
        <DialogActions>
          <Button onPress={onClose}>{say('cancel')}</Button>
          <Button look="main" type="submit" isDisabled={other === undefined} isPending={add.isPending}>
            {say('relate')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
