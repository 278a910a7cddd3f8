import { useQuery } from '@tanstack/react-query'
import { RefreshCw, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { removeDocument, runOperation, useDocumentChange } from '../../api/changes.ts'
import { type Document, isAllowed, propertyOf, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { told } from '../problems/told.ts'
import { useRenditionNames } from '../renditions/words.ts'
import { PublishButton } from './publish-dialog.tsx'
import styles from './publishing.module.css'
import { isUpToDate, publicationsQuery, publish, sectionOf } from './use-publishing.ts'
import { usePublishingWords } from './words.ts'

const onError = ({ message }: Error) => tell({ kind: 'problem', text: message })

/** Where a document is published, in which version; and where else it could be. */
export function Publishing({ document }: { readonly document: Document }) {
  const say = usePublishingWords()
  const query = useQuery(publicationsQuery(document.uid))
  return (
    <section className={styles.page} aria-labelledby="published-where">
      <div className={styles.head}>
        <h2 id="published-where">{say('where')}</h2>
        <div className={styles.bar}>
          {(query.data?.entries.length ?? 0) > 1 ? <UnpublishAll document={document} /> : null}
          <PublishButton document={document} publications={query.data?.entries ?? []} />
        </div>
      </div>
      <Shown query={query} waiting={<Skeleton />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Message icon={Send} title={say('nothing')}>
              <p>{say('nothingHint')}</p>
            </Message>
          ) : (
            <ul className={styles.list}>
              {entries.map((publication) => (
                <Line key={publication.uid} document={document} publication={publication} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function Line({ document, publication }: { readonly document: Document; readonly publication: Document }) {
  const say = usePublishingWords()
  const nameOf = useRenditionNames()
  const { ago } = useFormats()
  const again = useDocumentChange(publish)
  const section = sectionOf(publication)
  const rendition = propertyOf(publication, 'rend:renditionName')
  const isLatest = isUpToDate(document, publication)
  const issued = propertyOf(publication, 'dc:issued')
  const facts = [
    say('version', { label: publication.versionLabel ?? '' }),
    ...(rendition === undefined ? [] : [say('rendition', { name: nameOf(rendition) })]),
    ...(issued === undefined ? [] : [say('when', { when: ago(issued) })]),
  ]
  return (
    <li>
      <div className={styles.what}>
        <DocumentLink document={{ ...publication, title: section, facets: ['Folderish'], type: 'Section' }} />
        <div className={styles.quiet}>
          {facts.join(' · ')} · <span data-latest={isLatest}>{say(isLatest ? 'latest' : 'outdated')}</span>
        </div>
      </div>
      <div className={styles.bar}>
        {isLatest ? null : (
          <Button
            isPending={again.isPending}
            onPress={() =>
              again.mutate(
                { id: document.uid, sectionIds: [publication.parentRef ?? ''], ...(rendition && { rendition }) },
                { onSuccess: () => tell({ text: say('republished', { title: titleOf(document), section }) }), onError },
              )
            }
          >
            <RefreshCw size={16} aria-hidden />
            {say('again')}
          </Button>
        )}
        {isAllowed(publication, 'Remove') ? <Unpublish publication={publication} section={section} /> : null}
      </div>
    </li>
  )
}

function Unpublish({ publication, section }: { readonly publication: Document; readonly section: string }) {
  const say = usePublishingWords()
  const [isAsking, setAsking] = useState(false)
  const remove = useDocumentChange(removeDocument)
  return (
    <>
      <Button onPress={() => setAsking(true)}>
        <Undo2 size={16} aria-hidden />
        {say('unpublish')}
      </Button>
      <Question
        title={say('unpublishTitle', { section })}
        isOpen={isAsking}
        isDangerous
        isPending={remove.isPending}
        confirmLabel={say('unpublish')}
        cancelLabel={say('cancel')}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          told(
            remove.mutateAsync(publication.uid).finally(() => setAsking(false)),
            () => tell({ text: say('unpublished', { section }) }),
          )
        }
      >
        <p>{say('unpublishHint')}</p>
      </Question>
    </>
  )
}

function UnpublishAll({ document }: { readonly document: Document }) {
  const say = usePublishingWords()
  const [isAsking, setAsking] = useState(false)
  const remove = useDocumentChange((id: string) => runOperation('Document.UnpublishAll', [id]))
  return (
    <>
      <Button onPress={() => setAsking(true)}>{say('unpublishAll')}</Button>
      <Question
        title={say('unpublishAllTitle', { title: titleOf(document) })}
        isOpen={isAsking}
        isDangerous
        isPending={remove.isPending}
        confirmLabel={say('unpublishAll')}
        cancelLabel={say('cancel')}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(document.uid, {
            onSuccess: () => tell({ text: say('unpublishedAll') }),
            onError,
            onSettled: () => setAsking(false),
          })
        }
      >
        <p>{say('unpublishHint')}</p>
      </Question>
    </>
  )
}
