import { useNavigate, useSearch } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { type Document, hasFacet, isAllowed, mainFileOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { useLeaving } from '../../ui/leaving.ts'
import { useFormats } from '../../words/formats.ts'
import { AnnotatedPreview } from '../annotations/annotated-preview.tsx'
import { AnnotatingProvider } from '../annotations/annotating.tsx'
import { PropertyForm } from '../forms/property-form.tsx'
import { useFormWords } from '../forms/words.ts'
import { hasNote, NoteText } from '../preview/note-text.tsx'
import { DocumentTasks } from '../tasks/document-tasks.tsx'
import { DocumentPanels } from './document-panels.tsx'
import styles from './document-view.module.css'
import { Facts } from './facts.tsx'
import { useDocumentWords } from './words.ts'

export function DocumentView({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  const file = mainFileOf(document)
  const { size } = useFormats()
  const sayInForms = useFormWords()
  const [isEdited, setEdited] = useState(false)
  const [page, goTo] = useAddressedPage()
  const leave = useLeaving()
  const mayWrite = isAllowed(document, 'WriteProperties') && !hasFacet(document, 'Immutable')
  if (isEdited) {
    return (
      <article className={styles.edit}>
        <PropertyForm document={document} onClose={() => setEdited(false)} />
      </article>
    )
  }
  return (
    <AnnotatingProvider page={page} onPage={goTo}>
      <article className={styles.view} data-file={file !== undefined || hasNote(document)}>
        {file === undefined ? (
          <NoteText document={document} />
        ) : (
          <div>
            <AnnotatedPreview document={document} file={file}>
              <a href={file.data} download={file.name ?? ''}>
                {say('download')} {file.name} ({size(file.length)})
              </a>
            </AnnotatedPreview>
          </div>
        )}
        <aside className={styles.side}>
          <DocumentTasks document={document} />
          <section>
            <header className={styles.head}>
              <h2>{say('properties')}</h2>
              {mayWrite ? (
                <Button onPress={() => leave(() => setEdited(true))}>
                  <Pencil size={16} aria-hidden />
                  {sayInForms('edit')}
                </Button>
              ) : null}
            </header>
            <Facts document={document} />
          </section>
          <DocumentPanels document={document} />
        </aside>
      </article>
    </AnnotatingProvider>
  )
}

/** The page of a file that is looked at: shown at once, and kept in the address. */
function useAddressedPage() {
  const navigate = useNavigate()
  const { page: addressed = 1 } = useSearch({ strict: false })
  const [page, setPage] = useState(addressed)
  useEffect(() => setPage(addressed), [addressed])
  const goTo = useCallback(
    (next: number) => {
      setPage(next)
      void navigate({ to: '.', search: (before) => ({ ...before, page: next === 1 ? undefined : next }), replace: true })
    },
    [navigate],
  )
  return [page, goTo] as const
}
