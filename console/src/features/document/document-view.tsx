import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type Document, hasFacet, isAllowed, mainFileOf, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { useFormats } from '../../words/formats.ts'
import { AnnotatedPreview } from '../annotations/annotated-preview.tsx'
import { AnnotatingProvider } from '../annotations/annotating.tsx'
import { PropertyForm } from '../forms/property-form.tsx'
import { useFormWords } from '../forms/words.ts'
import { DocumentTasks } from '../tasks/document-tasks.tsx'
import { DocumentPanels } from './document-panels.tsx'
import styles from './document-view.module.css'
import { useDocumentWords } from './words.ts'

export function DocumentView({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  const file = mainFileOf(document)
  const { size } = useFormats()
  const sayInForms = useFormWords()
  const [isEdited, setEdited] = useState(false)
  const mayWrite = isAllowed(document, 'WriteProperties') && !hasFacet(document, 'Immutable')
  if (isEdited) {
    return (
      <article className={styles.edit}>
        <PropertyForm document={document} onClose={() => setEdited(false)} />
      </article>
    )
  }
  return (
    <AnnotatingProvider>
      <article className={styles.view} data-file={file !== undefined}>
        {file === undefined ? null : (
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
                <Button onPress={() => setEdited(true)}>
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

function Facts({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  const { moment } = useFormats()
  const facts = [
    ['type', document.type],
    ['state', document.state],
    ['version', document.versionLabel],
    ['creator', propertyOf(document, 'dc:creator')],
    ['created', moment(propertyOf(document, 'dc:created'))],
    ['modified', moment(propertyOf(document, 'dc:modified'))],
    ['description', propertyOf(document, 'dc:description')],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([word, value]) => [<dt key={word}>{say(word)}</dt>, <dd key={`${word}-value`}>{value}</dd>])}
    </dl>
  )
}
