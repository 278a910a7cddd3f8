import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import { type Document, isAllowed, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { placeOf } from '../documents/place-of.ts'
import { Shown } from '../problems/shown.tsx'
import { useRenditionNames } from '../renditions/words.ts'
import styles from './publishing.module.css'
import { publish, sectionsQuery } from './use-publishing.ts'
import { usePublishingWords } from './words.ts'

export interface PublishProps {
  readonly document: Document
  /** Where it is published already. */
  readonly publications: readonly Document[]
}

export function PublishButton({ document, publications }: PublishProps) {
  const say = usePublishingWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Send size={16} aria-hidden />
        {say('publish')}
      </Button>
      <Dialog title={say('publishTitle', { title: titleOf(document) })} isOpen={isOpen} onClose={() => setOpen(false)}>
        <PublishForm document={document} publications={publications} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** What would be of no use to readers of a section. */
const notForReaders = ['thumbnail', 'xmlExport', 'zipExport', 'zipTreeExport']

function PublishForm({ document, publications, onClose }: PublishProps & { onClose(): void }) {
  const say = usePublishingWords()
  const nameOf = useRenditionNames()
  const [term, setTerm] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [rendition, setRendition] = useState('')
  const [mistake, setMistake] = useState<string>()
  const sections = useQuery(sectionsQuery(useDeferredValue(term.trim())))
  const { data } = useQuery({
    queryKey: [...documentKeys.all, 'renditions', document.uid],
    queryFn: ({ signal }) => call<Document>(`id/${document.uid}`, { signal, headers: { 'enrichers.document': 'renditions' } }),
  })
  const forms = (data?.contextParameters?.renditions ?? []).filter(({ name }) => !notForReaders.includes(name))
  const publishing = useDocumentChange(publish)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    publishing.mutate(
      { id: document.uid, sectionIds: chosen, ...(rendition !== '' && { rendition }) },
      {
        onSuccess: () => {
          tell({ text: say('published', { title: titleOf(document), count: chosen.length }) })
          onClose()
        },
        onError: ({ message }) => setMistake(message),
      },
    )
  }
  const toggle = (id: string, isChosen: boolean) => setChosen(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <p className={styles.quiet}>{say('publishHint')}</p>
      <TextField label={say('find')} value={term} onChange={setTerm} mistake={mistake} autoFocus maxLength={200} />
      <Shown query={sections} waiting={<Skeleton />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p>{say('noSections')}</p>
          ) : (
            <fieldset className={styles.sections}>
              <legend className="only-read">{say('section')}</legend>
              {entries.map((section) => (
                <SectionOption
                  key={section.uid}
                  section={section}
                  isChosen={chosen.includes(section.uid)}
                  isThere={publications.some(({ parentRef }) => parentRef === section.uid)}
                  onChange={(isChosen) => toggle(section.uid, isChosen)}
                />
              ))}
            </fieldset>
          )
        }
      </Shown>
      {forms.length === 0 ? null : (
        <Choice
          label={say('form')}
          value={rendition}
          options={[{ value: '', label: say('asItIs') }, ...forms.map(({ name }) => ({ value: name, label: nameOf(name) }))]}
          onChange={setRendition}
        />
      )}
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={chosen.length === 0} isPending={publishing.isPending}>
          {say('publish')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface SectionOptionProps {
  readonly section: Document
  readonly isChosen: boolean
  readonly isThere: boolean
  onChange(isChosen: boolean): void
}

function SectionOption({ section, isChosen, isThere, onChange }: SectionOptionProps) {
  const say = usePublishingWords()
  const mayPublish = isAllowed(section, 'AddChildren')
  const hint = mayPublish ? (isThere ? say('here') : placeOf(section)) : say('notAllowed')
  return (
    <label>
      <input type="checkbox" checked={isChosen} disabled={!mayPublish} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {titleOf(section)}
        <small>{hint}</small>
      </span>
    </label>
  )
}
